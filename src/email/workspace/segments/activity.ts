import type { Action, Facts } from "../../policy/segments/facts.ts";
import type { ActivitySql } from "../../policy/segments/prefilter.ts";

const COLUMN: Readonly<Record<Action, string>> = { sent: "sent_at", opened: "opened_at", clicked: "clicked_at" };

const existsSql = (contact: string, messages: string, action: Action): string =>
  `EXISTS (SELECT 1 FROM engagement e WHERE e.contact = ${contact}
     AND e.message IN (SELECT value FROM json_each(${messages})) AND e.${COLUMN[action]} IS NOT NULL)`;

export const activitySql: ActivitySql = (action, messages) => existsSql("contacts.n", messages, action);

/** Uses one seek per message. */
export const activityOf =
  (sql: SqlStorage, contact: number): Facts["hasActivity"] =>
  (messages, action) =>
    sql
      .exec<{ found: number }>(`SELECT ${existsSql("?1", "?2", action)} AS found`, contact, JSON.stringify(messages))
      .one().found === 1;

/** Includes the given Unix ms. Uses one seek per message. */
export const activityUntil =
  (sql: SqlStorage, contact: number) =>
  (messages: readonly number[], action: Action, until: number): boolean =>
    sql
      .exec<{ found: number }>(
        `SELECT EXISTS (SELECT 1 FROM engagement e WHERE e.contact = ?1
           AND e.message IN (SELECT value FROM json_each(?2)) AND e.${COLUMN[action]} <= ?3) AS found`,
        contact,
        JSON.stringify(messages),
        until,
      )
      .one().found === 1;
