import { DAY_MS } from "../../../../lib/util/dates.ts";
import type { Claimed, SendLimits } from "./window.ts";

type Row = { second: number | null; hour: number | null; day: number | null };

/** The send limits of the team. */
export const readSendLimits = (sql: SqlStorage): SendLimits =>
  sql
    .exec<Row>("SELECT send_per_second AS second, send_per_hour AS hour, send_per_day AS day FROM team")
    .toArray()[0] ?? { second: null, hour: null, day: null };

export const readClaimed = (sql: SqlStorage): Claimed[] =>
  sql.exec<Claimed>("SELECT at, count FROM claimed_mails ORDER BY at").toArray();

/** Writes what has changed between two states. An entry that has not changed is the same object in both. */
export const writeClaimed = (sql: SqlStorage, before: readonly Claimed[], after: readonly Claimed[]): void => {
  const same = before.findIndex((claim, index) => claim !== after[index]);
  const from = same === -1 ? before.length : same;
  const changed = after.slice(from);
  const stored = new Map(before.slice(from).map(({ at, count }) => [at, count]));
  const kept = new Set(changed.map(({ at }) => at));
  const gone = before.slice(from).filter(({ at }) => !kept.has(at));
  if (gone.length > 0)
    sql.exec(
      "DELETE FROM claimed_mails WHERE at IN (SELECT value FROM json_each(?))",
      JSON.stringify(gone.map(({ at }) => at)),
    );
  for (const { at, count } of changed)
    if (stored.get(at) !== count) sql.exec("INSERT OR REPLACE INTO claimed_mails (at, count) VALUES (?, ?)", at, count);
};

const FULL = "full";

/**
 * Until when the limits are full, in Unix ms; 0 when they were not within a day. Kept a day longer: mail that waited for them has 24
 * hours from then.
 */
export const readFullUntil = (sql: SqlStorage, now: number): number => {
  const row = sql
    .exec<{ state: string }>("SELECT state FROM limits WHERE name = ? AND kept_until > ?", FULL, now)
    .toArray()[0];
  return row ? (JSON.parse(row.state) as { until: number }).until : 0;
};

export const writeFullUntil = (sql: SqlStorage, until: number): void => {
  sql.exec(
    "INSERT OR REPLACE INTO limits (name, state, kept_until) VALUES (?, ?, ?)",
    FULL,
    JSON.stringify({ until }),
    until + DAY_MS,
  );
};
