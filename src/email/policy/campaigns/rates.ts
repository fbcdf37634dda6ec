/**
 * Mails of a campaign that relays took or refused as undeliverable (`sends`), and what became of them. `softBounces`: those that came back
 * for another reason than their address.
 */
export type Handed = { sends: number; hardBounces: number; softBounces: number; complaints: number };

/**
 * Why a campaign is held without a person. `late`: its start was missed by too long. `not_ready`: it lacked something at its start.
 * `more_recipients`: it has more at its start than a person has confirmed. `relay_refuses`: the relay
 * refuses mail after mail.
 */
export type HoldReason = "late" | "not_ready" | "more_recipients" | "relay_refuses" | "bounce_rate" | "complaint_rate";

/** The reasons that a rate gives. */
export type RateReason = Extract<HoldReason, "bounce_rate" | "complaint_rate">;

/** Mails of a campaign at the time when a person resumed it, by the reason for which it was held. */
export type Released = Partial<Record<RateReason, Handed>>;

/** Rates of fewer mails say little. */
const MIN_SENDS = 500;

/** Mailbox providers throttle or block a sender above these shares of its mails. */
const BOUNDS: readonly { reason: RateReason; of(handed: Handed): number; max: number }[] = [
  { reason: "bounce_rate", of: ({ hardBounces, softBounces }) => hardBounces + softBounces, max: 0.05 },
  { reason: "complaint_rate", of: ({ complaints }) => complaints, max: 0.001 },
];

const NONE: Handed = { sends: 0, hardBounces: 0, softBounces: 0, complaints: 0 };

/**
 * Why the mails of a campaign so far are reason to hold it; undefined when they are none. A reason for which it was held before counts
 * the mails since it was resumed; the other reason counts all mails.
 */
export const reasonToHold = (handed: Handed, released: Released | null): RateReason | undefined =>
  BOUNDS.find(({ reason, of, max }) => {
    const before = released?.[reason] ?? NONE;
    const sends = handed.sends - before.sends;
    return sends >= MIN_SENDS && of(handed) - of(before) > max * sends;
  })?.reason;

/** A campaign that starts later than this after its time is held, in ms: what it says may be wrong by then. */
export const LATE_MS = 3_600_000;
