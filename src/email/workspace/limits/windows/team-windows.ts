import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import {
  type Claimed,
  fullOf,
  leftOf,
  notLaterThan,
  type SendLimits,
  type Window,
  windowsOf,
  withClaim,
} from "./window.ts";
import { readClaimed, readFullUntil, readSendLimits, writeClaimed, writeFullUntil } from "./window-rows.ts";

/** The minimum time between writes. The value only has to be right for the 24 hours of a mail. */
const WRITE_MS = MINUTE_MS;

const isSet = (limits: SendLimits): boolean => Object.values(limits).some((limit) => limit !== null);

/**
 * The send limits are read at each claim, so a change applies at once. Claims are in memory, with rows while a limit
 * is set.
 */
export const createSendLimits = (sql: SqlStorage) => {
  let known: readonly Claimed[] | undefined;
  let writtenUntil: number | undefined;
  const claimsAt = (now: number): readonly Claimed[] => {
    const before = known ?? readClaimed(sql);
    known = notLaterThan(before, now);
    if (known !== before) writeClaimed(sql, before, known);
    return known;
  };
  const windowsAt = (now: number): Window[] => {
    const limits = readSendLimits(sql);
    return isSet(limits) ? windowsOf(limits, claimsAt(now), now) : [];
  };
  const noteFull = (now: number, until: number): void => {
    writtenUntil ??= readFullUntil(sql, now);
    if (until < writtenUntil + WRITE_MS) return;
    writtenUntil = until;
    writeFullUntil(sql, until);
  };
  return {
    left: (now: number): number => leftOf(windowsAt(now)),
    opensAt(now: number): number {
      const full = fullOf(windowsAt(now));
      if (full) noteFull(now, full.opensAt);
      return full?.opensAt ?? 0;
    },
    /** Unix ms, at most now; 0 if no limit was full within a day. */
    fullUntil: (now: number): number => Math.min(now, readFullUntil(sql, now)),
    count(now: number, mails: number): void {
      if (mails === 0 || !isSet(readSendLimits(sql))) return;
      const before = claimsAt(now);
      known = withClaim(before, now, mails);
      writeClaimed(sql, before, known);
    },
  };
};
