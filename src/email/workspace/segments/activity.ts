import type { Action, Facts } from "../../policy/segments/facts.ts";
import type { ActivitySql } from "../../policy/segments/prefilter.ts";

const COLUMN: Readonly<Record<Action, string>> = { sent: "sent_at", opened: "opened_at", clicked: "clicked_at" };

const existsSql = (contact: string, messages: string, action: Action): string =>
  `EXISTS (SELECT 1 FROM engagement e WHERE e.contact = ${contact}
     AND e.message IN (SELECT value FROM json_each(${messages})) AND e.${COLUMN[action]} IS NOT NULL)`;

/** Activity of the contact of a row, for the SQL of filters. */
export const activitySql: ActivitySql = (action, messages) => existsSql("contacts.n", messages, action);

/** Activity of the contact with this row number, for the evaluator. One seek for each message. */
export const activityOf =
  (sql: SqlStorage, contact: number): Facts["hasActivity"] =>
  (messages, action) =>
    sql
      .exec<{ found: number }>(`SELECT ${existsSql("?1", "?2", action)} AS found`, contact, JSON.stringify(messages))
      .one().found === 1;

/** Activity of the contact with this row number up to a time in Unix ms, included. One seek for each message. */
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
