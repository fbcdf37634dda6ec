import type { Refusal } from "../../../lib/contract/errors.ts";
import { DAY_MS } from "../../../lib/util/dates.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { type Context, wake } from "../core/context.ts";

const TAKEN_MS = DAY_MS;

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Refuses a key that this operation used less than 24 h ago. */
export const keyTaken = ({ sql, now }: Context, operation: string, key: string): Refusal | undefined => {
  const day = dayOf(now);
  // The clock may have stepped back over midnight since the key was stored.
  const taken = sql
    .exec(
      "SELECT 1 FROM idempotency WHERE day IN (?, ?, ?) AND operation = ? AND key = ? AND at > ?",
      day - 1,
      day,
      day + 1,
      operation,
      key,
      now - TAKEN_MS,
    )
    .toArray();
  if (taken.length === 0) return undefined;
  return { code: "idempotency_key_used", message: "Idempotency key has been used within the last 24 hours." };
};

/** Stores the key for 24 h in the operation's transaction. */
export const takeKey = (context: Context, operation: string, key: string): void => {
  const { sql, now } = context;
  sql.exec(
    "INSERT OR REPLACE INTO idempotency (day, operation, key, at) VALUES (?, ?, ?, ?)",
    dayOf(now),
    operation,
    key,
    now,
  );
  wake(context, purgeableAt(dayOf(now)));
};

const purgeableAt = (day: number): number => (day + 1) * DAY_MS + TAKEN_MS;

export const chores: readonly Chore[] = [
  {
    next: (sql) => purgeableAt(firstTime(sql, "SELECT min(day) AS at FROM idempotency")),
    run: (sql, now, limit) => {
      sql.exec(
        `DELETE FROM idempotency WHERE (day, operation, key) IN
           (SELECT day, operation, key FROM idempotency WHERE day < ? ORDER BY day LIMIT ?)`,
        dayOf(now) - 1,
        limit,
      );
    },
  },
];
