import { type Context, wake } from "../core/context.ts";
import { eraseWarmup, readWarmups, writeWarmup } from "./limit-rows.ts";
import { beginRecheck } from "./recheck.ts";
import { capOf, newWarmup, onDay } from "./warmup.ts";

type Base = Pick<Context, "sql" | "now">;

/** Returns the warm-up of a domain for the admin API; null when warm. */
export const shownWarmup = ({ sql, now }: Base, domain: string) => {
  const stored = readWarmups(sql).get(domain);
  if (!stored) return null;
  const { step, marketing, transactional, capsTransactional } = onDay(stored, now);
  return { day: step + 1, cap: capOf(step), marketing, transactional, capsTransactional };
};

export const beginWarmup = ({ sql, now }: Base, domain: string): void => writeWarmup(sql, domain, newWarmup(now));

type WarmupChange = {
  warmup?: boolean | undefined;
  warmupDay?: number | undefined;
  capsTransactional?: boolean | undefined;
};

/** Changes, starts or ends (`warmup: false`) a warm-up and makes its waiting mail due. */
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
  beginRecheck(sql, now, domain);
  wake(context, now);
};

export const endWarmup = ({ sql }: Base, domain: string): void => eraseWarmup(sql, domain);
