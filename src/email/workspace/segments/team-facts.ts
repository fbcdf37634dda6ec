import type { Target, TeamFacts } from "../../policy/segments/facts.ts";
import { customTypes } from "../contacts/properties.ts";
import { timeZoneOf } from "../team/team.ts";

const numbers = (sql: SqlStorage, query: string, ...values: (string | number)[]): number[] =>
  sql
    .exec<{ n: number }>(query, ...values)
    .toArray()
    .map(({ n }) => n);

/** Deleted nodes' messages still belong to the workflow. A workflow email is named by its id or its node's id. */
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

export const teamFactsOf = (sql: SqlStorage): TeamFacts => ({
  timeZone: () => timeZoneOf(sql),
  types: customTypes(sql),
  messagesOf: (target, id) => messages[target](sql, id),
});
