import { encodedHintsOf, finderOf, type Names, sureNames } from "../../../lib/names/finder.ts";
import type { Look } from "../core/search-slices.ts";

type Row = { n: number; payload: string; answers: string };
type Looked = ReturnType<Look>[number];

const ANSWERS = `coalesce((SELECT group_concat(d.log) FROM webhook_endpoints w
    JOIN webhook_notifications d ON d.endpoint = w.n AND d.event = e.n), '')`;

/** Looks for events that may name a person. */
export const lookForEvents = (sql: SqlStorage, names: Names): Look => {
  const hints = JSON.stringify([...names.ids.map((id) => id.toLowerCase()), ...encodedHintsOf(sureNames(names))]);
  return (after, limit) =>
    sql
      .exec<Looked>(
        `SELECT n, EXISTS (SELECT 1 FROM json_each(?) WHERE instr(text, value)) AS named
         FROM (SELECT n, lower(coalesce(payload, '') || ' ' || ${ANSWERS}) AS text FROM webhook_events e WHERE n > ? ORDER BY n LIMIT ?)`,
        hints,
        after,
        limit,
      )
      .toArray();
};

const naming = (sql: SqlStorage, names: Names, numbers: readonly number[]): Row[] => {
  const finder = finderOf(names);
  return sql
    .exec<Row>(
      `SELECT n, coalesce(payload, '') AS payload, ${ANSWERS} AS answers FROM webhook_events e
       WHERE n IN (SELECT value FROM json_each(?))`,
      JSON.stringify(numbers),
    )
    .toArray()
    .filter(({ payload, answers }) => finder.isIn(payload) || finder.outOfText(answers) !== answers);
};

/** Rows stay without payload and answers, and are never delivered or replayed. */
const erase = (sql: SqlStorage, numbers: readonly number[]): void => {
  const events = JSON.stringify(numbers);
  sql.exec(
    `UPDATE webhook_notifications SET due = NULL, log = '[]', state = CASE state WHEN 'waiting' THEN 'discarded' ELSE state END
     WHERE endpoint IN (SELECT n FROM webhook_endpoints) AND event IN (SELECT value FROM json_each(?))`,
    events,
  );
  sql.exec(
    "UPDATE webhook_events SET payload = NULL, contact = NULL WHERE n IN (SELECT value FROM json_each(?))",
    events,
  );
};

/** Erases a contact's events; events about its mails stay. */
export const eraseEventsOf = (sql: SqlStorage, contact: string): void => {
  const events = sql.exec<{ n: number }>("SELECT n FROM webhook_events WHERE contact = ?", contact).toArray();
  if (events.length > 0)
    erase(
      sql,
      events.map(({ n }) => n),
    );
};

/** Moves events after a merge, so that a deletion erases both contacts' events. */
export const moveEvents = (sql: SqlStorage, from: string, to: string): void => {
  sql.exec("UPDATE webhook_events SET contact = ? WHERE contact = ?", to, from);
};

/** Erases those of the `found` events that name a person and returns their number; a dry run only counts. */
export const eraseEvents = (sql: SqlStorage, names: Names, found: readonly number[], dryRun: boolean): number => {
  const events = naming(sql, names, found);
  if (!dryRun)
    erase(
      sql,
      events.map(({ n }) => n),
    );
  return events.length;
};
