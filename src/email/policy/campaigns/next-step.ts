import { isMore } from "./confirmed.ts";
import { type Handed, type HoldReason, LATE_MS, type Released, reasonToHold } from "./rates.ts";
import { type Refusals, refusesAll } from "./refusals.ts";
import { FED } from "./slice.ts";
import type { CampaignStatus, DeliveryState } from "./types.ts";

/**
 * How far a campaign is. Times are Unix ms. `pass`: what is done to all recipients; `cancel` has two
 * meanings: see `isClearing`. `counts.sent`: mails that the relay took. `confirmed`: recipients that a person has confirmed for a start later on; `ready`: those at the start.
 */
export type Progress = {
  status: CampaignStatus;
  state: DeliveryState | null;
  scheduledAt: number | null;
  maxContact: number | null;
  confirmed: number | null;
  ready: number;
  snapshotCursor: number;
  claimedCursor: number;
  pass: "cancel" | "retry" | null;
  passCursor: number;
  released: Released | null;
  refusals: Refusals | null;
  counts: { queued: number; inLedger: number; sent: number };
  results: Handed & { deferred: number };
};

/**
 * What the next slice of a campaign does. `snapshot`: reads contacts; `feed`: gives recipients a mail; `finish`: everything has a result;
 * `cancel`, `retry`, `clear`: goes over the recipients; `end`: everything of a cancelled one has a result.
 */
export type Step =
  | { act: "start" | "snapshot" | "feed" | "finish" | "cancel" | "retry" | "clear" | "end" }
  | { act: "hold"; reason: HoldReason };

/**
 * Most mails of a campaign that wait for their first attempt or are in flight. All Mailers are busy with so many, and few enough wait when a
 * person pauses it. Those that are deferred do not count: a slow domain must not keep the other recipients waiting.
 */
const WINDOW = 2_000;
/** Most mails of a campaign that wait where most of them may not leave yet, because of the limits of their domains. */
export const WIDE_WINDOW = 20_000;

/** What a step depends on besides its campaign. `hasLittleMail`: the Mailers will soon have no marketing mail that may leave. */
export type Conditions = { canSend: boolean; hasLittleMail(): boolean };

/**
 * Whether the recipients of a start that was taken back are being deleted. They count no more, and those of a later start are collected after
 * that.
 */
export const isClearing = ({ pass, state, maxContact }: Pick<Progress, "pass" | "state" | "maxContact">): boolean =>
  pass === "cancel" && (state !== "cancelled" || maxContact === null);

/** The next step of a campaign that can be made now; undefined when it waits for a time, a person or a result. */
export const nextStep = (campaign: Progress, now: number, { canSend, hasLittleMail }: Conditions): Step | undefined => {
  const { status, state, scheduledAt, maxContact, pass, counts, results, released } = campaign;
  if (isClearing(campaign)) return { act: "clear" };
  if (status === "Scheduled") return startOf(scheduledAt ?? now, now);
  if (pass === "retry") return { act: "retry" };
  if (pass === "cancel") {
    if (campaign.passCursor < (maxContact ?? 0)) return { act: "cancel" };
    return counts.inLedger === 0 ? { act: "end" } : undefined;
  }
  if (status !== "Sending" || maxContact === null) return undefined;
  if (state === "snapshot") return { act: "snapshot" };
  if (campaign.snapshotCursor < maxContact) return undefined;
  const hasMore = counts.queued > 0 && campaign.claimedCursor < maxContact;
  if (!hasMore && counts.inLedger === 0) return { act: "finish" };
  if (state !== "sending") return undefined;
  const { confirmed, ready } = campaign;
  if (confirmed !== null && isMore(ready, confirmed)) return { act: "hold", reason: "more_recipients" };
  const open = counts.queued + counts.inLedger;
  if (refusesAll(campaign.refusals, { taken: counts.sent, open })) return { act: "hold", reason: "relay_refuses" };
  const reason = reasonToHold(results, released);
  if (reason) return { act: "hold", reason };
  if (!hasMore || !canSend) return undefined;
  const waiting = counts.inLedger - results.deferred;
  // Mail for a domain that takes little at a time must not keep the recipients at other domains waiting.
  const hasRoom = waiting <= WINDOW - FED || (waiting <= WIDE_WINDOW - FED && hasLittleMail());
  return hasRoom ? { act: "feed" } : undefined;
};

const startOf = (scheduledAt: number, now: number): Step | undefined => {
  if (now < scheduledAt) return undefined;
  return now - scheduledAt > LATE_MS ? { act: "hold", reason: "late" } : { act: "start" };
};
