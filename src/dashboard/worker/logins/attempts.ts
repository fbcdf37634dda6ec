import { MINUTE_MS } from "../../../lib/util/dates.ts";

const ATTEMPTS = 10;
export const ATTEMPTS_MS = 15 * MINUTE_MS;

/** A wait in ms, or the attempt's number. */
export type Counted = { wait: number } | { n: number };

export const attempt = (sql: SqlStorage, address: string, now: number): Counted => {
  const recent = sql
    .exec<{ at: number }>(
      "SELECT at FROM attempts WHERE address = ? AND at > ? ORDER BY at DESC LIMIT ?",
      address,
      now - ATTEMPTS_MS,
      ATTEMPTS,
    )
    .toArray();
  const oldest = recent[ATTEMPTS - 1];
  if (oldest) return { wait: Math.max(1, oldest.at + ATTEMPTS_MS - now) };
  const { n } = sql
    .exec<{ n: number }>("INSERT INTO attempts (address, at) VALUES (?, ?) RETURNING n", address, now)
    .one();
  return { n };
};
