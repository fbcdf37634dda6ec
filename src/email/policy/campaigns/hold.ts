import { mostAtOnce } from "./confirmed.ts";
import { LATE_MS, MAX_BOUNCED, MAX_COMPLAINTS, MIN_SENDS } from "./hold-limits.ts";
import { type Refusals, refusesAll } from "./refused-in-row.ts";

/** Mails accepted or refused as undeliverable (`sends`), with results. `softBounces` do not concern the address. */
export type Handed = { sends: number; hardBounces: number; softBounces: number; complaints: number };

/**
 * Automatic hold reasons. `late`: missed start. `not_ready`: incomplete. `more_recipients`: more than confirmed.
 * `sender_refuses`: repeated refusals. `bounce_wave`: equal answers of one destination that addresses do not exist.
 */
export type HoldReason =
  | "late"
  | "not_ready"
  | "more_recipients"
  | "sender_refuses"
  | "bounce_wave"
  | "bounce_rate"
  | "complaint_rate";

type RateReason = Extract<HoldReason, "bounce_rate" | "complaint_rate">;

/** Counts at the last resume, by hold reason. */
export type Released = Partial<Record<RateReason, Handed>>;

type Sending = {
  confirmed: number | null;
  most: number | null;
  ready: number;
  counts: { queued: number; inLedger: number; sent: number };
  refusals: Refusals | null;
  results: Handed;
  released: Released | null;
};

/** Returns why a sending campaign is held now, or undefined. */
export const reasonToHold = (campaign: Sending): HoldReason | undefined => {
  const { confirmed, most, ready, counts, refusals, results, released } = campaign;
  if (confirmed !== null && ready > (most ?? mostAtOnce(confirmed))) return "more_recipients";
  const open = counts.queued + counts.inLedger;
  if (refusesAll(refusals, { taken: counts.sent, open })) return "sender_refuses";
  return rateAboveBound(results, released);
};

/** Times are Unix ms. */
export const isTooLate = (scheduledAt: number, now: number): boolean => now - scheduledAt > LATE_MS;

const BOUNDS: readonly { reason: RateReason; of(handed: Handed): number; max: number }[] = [
  { reason: "bounce_rate", of: ({ hardBounces, softBounces }) => hardBounces + softBounces, max: MAX_BOUNCED },
  { reason: "complaint_rate", of: ({ complaints }) => complaints, max: MAX_COMPLAINTS },
];

const NONE: Handed = { sends: 0, hardBounces: 0, softBounces: 0, complaints: 0 };

/** Returns the rate that is too high. After a resume, a previous reason counts only later mails. */
export const rateAboveBound = (handed: Handed, released: Released | null): RateReason | undefined =>
  BOUNDS.find(({ reason, of, max }) => {
    const before = released?.[reason] ?? NONE;
    const sends = handed.sends - before.sends;
    return sends >= MIN_SENDS && of(handed) - of(before) > max * sends;
  })?.reason;
