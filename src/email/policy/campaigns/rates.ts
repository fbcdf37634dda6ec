/** Mails accepted or refused as undeliverable (`sends`), with results. `softBounces` do not concern the address. */
export type Handed = { sends: number; hardBounces: number; softBounces: number; complaints: number };

/**
 * Automatic hold reasons. `late`: missed start. `not_ready`: incomplete. `more_recipients`: more than confirmed.
 * `relay_refuses`: repeated refusals.
 */
export type HoldReason = "late" | "not_ready" | "more_recipients" | "relay_refuses" | "bounce_rate" | "complaint_rate";

export type RateReason = Extract<HoldReason, "bounce_rate" | "complaint_rate">;

/** Counts at the last resume, by hold reason. */
export type Released = Partial<Record<RateReason, Handed>>;

/** Rates of fewer mails say little. */
const MIN_SENDS = 500;

/** Mailbox providers throttle or block senders above these shares. */
const BOUNDS: readonly { reason: RateReason; of(handed: Handed): number; max: number }[] = [
  { reason: "bounce_rate", of: ({ hardBounces, softBounces }) => hardBounces + softBounces, max: 0.05 },
  { reason: "complaint_rate", of: ({ complaints }) => complaints, max: 0.001 },
];

const NONE: Handed = { sends: 0, hardBounces: 0, softBounces: 0, complaints: 0 };

/** Returns a reason to hold a campaign. After a resume, a previous reason counts only later mails. */
export const reasonToHold = (handed: Handed, released: Released | null): RateReason | undefined =>
  BOUNDS.find(({ reason, of, max }) => {
    const before = released?.[reason] ?? NONE;
    const sends = handed.sends - before.sends;
    return sends >= MIN_SENDS && of(handed) - of(before) > max * sends;
  })?.reason;

/** The maximum delay of a start in ms; later the content may be wrong. */
export const LATE_MS = 3_600_000;
