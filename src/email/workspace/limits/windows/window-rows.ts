import { DAY_MS } from "../../../../lib/util/dates.ts";
import type { Claimed, SendLimits } from "./window.ts";

type Row = { second: number | null; hour: number | null; day: number | null };

export const readSendLimits = (sql: SqlStorage): SendLimits =>
  sql
    .exec<Row>("SELECT send_per_second AS second, send_per_hour AS hour, send_per_day AS day FROM team")
    .toArray()[0] ?? { second: null, hour: null, day: null };

export const readClaimed = (sql: SqlStorage): Claimed[] =>
  sql.exec<Claimed>("SELECT at, count FROM claimed_mails ORDER BY at").toArray();

/** Writes changed entries. An unchanged entry is the same object in both states. */
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

/** Returns the Unix ms end of full limits; 0 after a day. It is kept a day longer for the 24 hours of waiting mail. */
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
