import type { Values } from "../../../lib/lmx/fill.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import type { Context } from "../core/context.ts";

/** Names of variables that stand for something that works once or lets a person in. */
const ONE_TIME =
  /^(?:link|url|href|button_?url)$|code|token|otp|one_?time|pin$|passw|secret|magic|verif|confirm|reset|log_?in|sign_?in|invit|api_?key/i;
/** Addresses that let a person in, whatever their variable is called. */
const LETS_IN = /[?&#/;](?:[\w-]*(?:token|code|otp|key|sig|signature|secret|ticket|hash|password))=/i;

/** Names of the variables that may let a person in, or work once. */
export const oneTimeIn = (variables: readonly string[]): string[] =>
  variables.map((variable) => variable.slice(variable.indexOf(".") + 1)).filter((name) => ONE_TIME.test(name));

/** Keeps the values of a mail that was accepted now, for so many days. One-time values are never kept. */
export const keepValues = ({ sql, now }: Pick<Context, "sql" | "now">, send: number, values: Values, days: number) => {
  const isOneTime = oneTimeIn(Object.keys(values)).length > 0;
  if (isOneTime || Object.values(values).some((value) => LETS_IN.test(String(value)))) return;
  const until = now + days * DAY_MS;
  sql.exec("INSERT INTO kept_values (send, until, data) VALUES (?, ?, ?)", send, until, JSON.stringify(values));
};

/** Values of a settled mail and the end of their time (Unix ms), or undefined. */
export const keptValues = (sql: SqlStorage, send: number): { data: string; until: number } | undefined =>
  sql.exec<{ data: string; until: number }>("SELECT data, until FROM kept_values WHERE send = ?", send).toArray()[0];

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
