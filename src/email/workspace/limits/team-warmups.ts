import type { MailClass } from "../../types/mail-handover.ts";
import { eraseWarmup, readWarmups, writeWarmup } from "./limit-rows.ts";
import { warmupInWords } from "./limit-words.ts";
import { bookDay, isWarm, leftOf, onDay, type Warmup } from "./warmup.ts";

/** Transactional counts are written in batches to save rows. After a crash, fewer than this number are lost. */
const WRITTEN_TOGETHER = 50;

type Mail = { attempts: number };

/** The warm-ups of a team, with counts in memory. */
export const createWarmups = (sql: SqlStorage) => {
  let known: Map<string, Warmup> | undefined;
  const booked = new Map<string, Map<number, number>>();
  const unwritten = new Map<string, number>();
  const load = (): Map<string, Warmup> => {
    known ??= readWarmups(sql);
    return known;
  };
  const today = (domain: string, now: number): Warmup | undefined => {
    const before = load().get(domain);
    return before && onDay(before, now);
  };
  const write = (domain: string, warmup: Warmup): void => {
    unwritten.delete(domain);
    if (isWarm(warmup)) {
      load().delete(domain);
      eraseWarmup(sql, domain);
    } else writeWarmup(sql, domain, warmup);
  };
  const flush = (now: number, least = WRITTEN_TOGETHER): void => {
    for (const [domain, count] of unwritten) {
      const warmup = today(domain, now);
      if (warmup && count >= least) write(domain, warmup);
    }
  };

  return {
    any: (): boolean => load().size > 0,
    /** Returns how many first attempts of today are left; infinity without a warm-up. */
    left(now: number, domain: string): number {
      const warmup = today(domain, now);
      return warmup && !isWarm(warmup) ? leftOf(warmup) : Number.POSITIVE_INFINITY;
    },
    /** Returns the days to wait; undefined for today. Only first attempts count. */
    full(
      now: number,
      mailClass: MailClass,
      domain: string,
      { attempts }: Mail,
    ): { days: number; reason: string } | undefined {
      const warmup = today(domain, now);
      if (!warmup || attempts > 0 || isWarm(warmup) || leftOf(warmup) > 0) return undefined;
      if (mailClass === "transactional" && !warmup.capsTransactional) return undefined;
      const days = booked.get(domain) ?? new Map<number, number>();
      booked.set(domain, days);
      for (const day of days.keys()) if (day <= warmup.day) days.delete(day);
      return { days: bookDay(warmup, days), reason: warmupInWords(domain, warmup) };
    },
    count(now: number, mailClass: MailClass, domain: string, { attempts }: Mail): void {
      const warmup = today(domain, now);
      if (!warmup || attempts > 0) return;
      load().set(domain, { ...warmup, [mailClass]: warmup[mailClass] + 1 });
      // Marketing mail is counted at each claim, because its cap must survive a crash.
      unwritten.set(domain, (unwritten.get(domain) ?? 0) + (mailClass === "marketing" ? WRITTEN_TOGETHER : 1));
    },
    flush,
    reload(): void {
      known = undefined;
      booked.clear();
    },
  };
};
