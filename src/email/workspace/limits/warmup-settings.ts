import { type Context, wake } from "../base/context.ts";
import { eraseWarmup, readWarmups, writeWarmup } from "./rows.ts";
import { capOf, newWarmup, onDay } from "./warmup.ts";
import { warmupInWords } from "./words.ts";

type Base = Pick<Context, "sql" | "now">;

/** The warm-up of a domain as the admin API gives it; null when the domain is warm. */
export const shownWarmup = ({ sql, now }: Base, domain: string) => {
  const stored = readWarmups(sql).get(domain);
  if (!stored) return null;
  const { step, marketing, transactional, capsTransactional } = onDay(stored, now);
  return { day: step + 1, cap: capOf(step), marketing, transactional, capsTransactional };
};

export const beginWarmup = ({ sql, now }: Base, domain: string): void => writeWarmup(sql, domain, newWarmup(now));

export type WarmupChange = {
  warmup?: boolean | undefined;
  warmupDay?: number | undefined;
  capsTransactional?: boolean | undefined;
};

/** Changes a warm-up, ends it (`warmup: false`), or begins one of a warm domain. Mail that waits for it is looked at again at once. */
export const changeWarmup = (context: Context, domain: string, change: WarmupChange): void => {
  const { sql, now } = context;
  const { warmup, warmupDay, capsTransactional } = change;
  if (warmup === false) eraseWarmup(sql, domain);
  else {
    const before = onDay(readWarmups(sql).get(domain) ?? newWarmup(now), now);
    writeWarmup(sql, domain, {
      ...before,
      ...(warmupDay === undefined ? {} : { step: warmupDay - 1 }),
      ...(capsTransactional === undefined ? {} : { capsTransactional }),
    });
  }
  // The end of the sentence names the cap, which differs from day to day.
  const [start = ""] = warmupInWords(domain, newWarmup(now)).split(", so");
  sql.exec(
    `UPDATE sends SET due = ?, may_leave_at = ? WHERE class IN ('transactional', 'marketing') AND due > ?
       AND state = 'queued' AND substr(error, 1, ?) = ?`,
    ...[now, now, now, start.length, start],
  );
  wake(context, now);
};

export const endWarmup = ({ sql }: Base, domain: string): void => eraseWarmup(sql, domain);
