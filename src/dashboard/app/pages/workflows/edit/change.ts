import { RequestError } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { useAct } from "../../../api/use-act.ts";
import { keyOf, type Shown } from "../use-workflow.ts";

const STALE = ["stale_revision", "revision_conflict", "idempotency_key_used"];

/** True if the workflow or a mail changed meanwhile. A used key means an earlier attempt succeeded. */
export const isStale = (error: unknown): boolean => error instanceof RequestError && STALE.includes(error.code);

/** Service message for a field, by path end such as `payload.amount`. */
export const saidOf = (error: Error | null, field: string): string | undefined =>
  error instanceof RequestError &&
  error.path !== undefined &&
  (error.path === field || error.path.startsWith(`${field}.`))
    ? error.message.replace(/^[\w.]+: /, "")
    : undefined;

/** Refetches a workflow. */
export const readAnew = ({ id, workflow }: Pick<Shown, "id" | "workflow">): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(id, workflow.id) });

/** Changes a workflow from the shown revision. Ends when the page shows the result, or the change of another person. */
export const changing = async <R>(
  shown: Pick<Shown, "id" | "workflow">,
  ask: (expectedRevisionId: string) => Promise<R>,
): Promise<R> => {
  try {
    const result = await ask(shown.workflow.workflowRevisionId);
    await readAnew(shown);
    return result;
  } catch (error) {
    if (isStale(error)) await readAnew(shown);
    throw error;
  }
};

/** Asks for a change of the workflow from the shown revision. */
export const useChange = <R, V = void>(
  shown: Shown,
  ask: (expectedRevisionId: string, given: V) => Promise<R>,
  onDone: (result: R, given: V) => void,
) => useAct({ mutationFn: (given: V) => changing(shown, (revision) => ask(revision, given)), onSuccess: onDone });
