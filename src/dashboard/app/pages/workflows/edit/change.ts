import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { RequestError } from "../../../api/client.ts";
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
export const readAnew = (queries: QueryClient, { id, workflow }: Pick<Shown, "id" | "workflow">): Promise<void> =>
  queries.invalidateQueries({ queryKey: keyOf(id, workflow.id) });

/**
 * Changes a workflow from the shown revision, and ends when the page shows the result.
 * A concurrent change cancels it and is shown.
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
