import type { Values } from "../../../lib/lmx/fill.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import type { Context } from "../core/context.ts";
import { looksOneTime, oneTimeIn } from "./one-time.ts";

/** Stands in the place of a value that is not kept. */
export const NOT_KEPT = "[not kept: one-time]";

/** Keeps the values of an accepted mail for some days. It leaves out values that may work only once. */
export const keepValues = ({ sql, now }: Pick<Context, "sql" | "now">, send: number, values: Values, days: number) => {
  if (oneTimeIn(Object.keys(values)).length > 0) return;
  const kept = Object.entries(values).map(([name, value]) => [name, looksOneTime(String(value)) ? NOT_KEPT : value]);
  const until = now + days * DAY_MS;
  const data = JSON.stringify(Object.fromEntries(kept));
  sql.exec("INSERT INTO kept_values (send, until, data) VALUES (?, ?, ?)", send, until, data);
};

/** Values of a settled mail and the end of their time (Unix ms), or undefined. */
export const keptValues = (
  { sql, now }: Pick<Context, "sql" | "now">,
  send: number,
): { data: string; until: number } | undefined =>
  sql
    .exec<{ data: string; until: number }>(
      "SELECT data, until FROM kept_values WHERE send = ? AND until > ?",
      send,
      now,
    )
    .toArray()[0];

export const dropKeptValues = (sql: SqlStorage, send: number): void => {
  sql.exec("DELETE FROM kept_values WHERE send = ?", send);
};

export const keptValuesEnd: Chore = {
  next: (sql) => firstTime(sql, "SELECT min(until) AS at FROM kept_values"),
  run: (sql, now, limit) => {
    sql.exec(
      "DELETE FROM kept_values WHERE send IN (SELECT send FROM kept_values WHERE until <= ? ORDER BY until LIMIT ?)",
      now,
      limit,
    );
  },
};
