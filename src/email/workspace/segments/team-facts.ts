import type { Target, TeamFacts } from "../../policy/segments/facts.ts";
import { customTypes } from "../contacts/properties.ts";

const numbers = (sql: SqlStorage, query: string, ...values: (string | number)[]): number[] =>
  sql
    .exec<{ n: number }>(query, ...values)
    .toArray()
    .map(({ n }) => n);

/**
 * Messages of each target. Those of deleted nodes belong to their workflow too. An email of a workflow is named by its own id, or
 * by that of the node that sends it.
 */
const messages: Readonly<Record<Target, (sql: SqlStorage, id: string) => number[] | undefined>> = {
  campaign: (sql, id) => {
    const found = numbers(sql, "SELECT message AS n FROM campaigns WHERE id = ?", id);
    return found.length > 0 ? found : undefined;
  },
  workflow: (sql, id) => {
    const [workflow] = numbers(sql, "SELECT n FROM workflows WHERE id = ? AND deleted_at IS NULL", id);
    return workflow === undefined
      ? undefined
      : numbers(sql, "SELECT n FROM email_messages WHERE workflow = ?", workflow);
  },
  workflowEmail: (sql, id) => {
    const own = numbers(sql, "SELECT n FROM email_messages WHERE id = ? AND workflow IS NOT NULL", id);
    const found =
      own.length > 0 ? own : numbers(sql, "SELECT n FROM email_messages WHERE workflow IS NOT NULL AND node = ?", id);
    return found.length > 0 ? found : undefined;
  },
};

/** What filters need to know of the team. */
export const teamFactsOf = (sql: SqlStorage): TeamFacts => ({
  types: customTypes(sql),
  messagesOf: (target, id) => messages[target](sql, id),
});
