import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { RequestError } from "../../../api/client.ts";
import { useAct } from "../../../api/use-act.ts";
import { keyOf, type Shown } from "../read.ts";

const STALE = ["stale_revision", "revision_conflict", "idempotency_key_used"];

/**
 * True for a change that was made from another state of the workflow, or of a mail of it, than the one that is there. A key that was used: an earlier
 * attempt got through whose answer was lost, so the workflow has the change already.
 */
export const isStale = (error: unknown): boolean => error instanceof RequestError && STALE.includes(error.code);

/** What the service says about a field, by the end of its path, such as `payload.amount`. */
export const saidOf = (error: Error | null, field: string): string | undefined =>
  error instanceof RequestError &&
  error.path !== undefined &&
  (error.path === field || error.path.startsWith(`${field}.`))
    ? error.message.replace(/^[\w.]+: /, "")
    : undefined;

/** Shows a workflow as it is now. */
export const readAnew = (queries: QueryClient, { id, workflow }: Pick<Shown, "id" | "workflow">): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(id, workflow.id) });

/**
 * A change of a workflow, made from the revision that the page shows. It is over when the page shows its result: the next change needs the
 * new revision. Where another person changed the workflow meanwhile, nothing is changed and the page shows their state.
 */
export const useChange = <R, V = void>(
  shown: Shown,
  ask: (expectedRevisionId: string, given: V) => Promise<R>,
  onDone: (result: R, given: V) => void,
) => {
  const queries = useQueryClient();
  return useAct({
    mutationFn: async (given: V): Promise<R> => {
      try {
        const result = await ask(shown.workflow.workflowRevisionId, given);
        await readAnew(queries, shown);
        return result;
      } catch (error) {
        if (isStale(error)) await readAnew(queries, shown);
        throw error;
      }
    },
    onSuccess: onDone,
  });
};
