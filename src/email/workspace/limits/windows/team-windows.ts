import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import { readClaimed, readFullUntil, readSendLimits, writeClaimed, writeFullUntil } from "./rows.ts";
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

/** The end of full limits is written this often at most, in ms: it only has to be right for the 24 hours of a mail. */
const WRITE_MS = MINUTE_MS;

const isSet = (limits: SendLimits): boolean => Object.values(limits).some((limit) => limit !== null);

/**
 * The send limits of a team. The limits are read at each claim, so that a change holds at once. Claims are in memory, and each writes
 * its row while a limit is set.
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
    /** Marketing mails that may be claimed now; infinity without a limit. */
    left: (now: number): number => leftOf(windowsAt(now)),
    /** When a marketing mail may be claimed, in Unix ms; 0 when one may be now. */
    opensAt(now: number): number {
      const full = fullOf(windowsAt(now));
      if (full) noteFull(now, full.opensAt);
      return full?.opensAt ?? 0;
    },
    /** When a limit was full last, in Unix ms, up to now; 0 when none was within a day. */
    fullUntil: (now: number): number => Math.min(now, readFullUntil(sql, now)),
    /** Counts mails of a claim, of both classes. Without a limit nothing is written. */
    count(now: number, mails: number): void {
      if (mails === 0 || !isSet(readSendLimits(sql))) return;
      const before = claimsAt(now);
      known = withClaim(before, now, mails);
      writeClaimed(sql, before, known);
    },
  };
};
