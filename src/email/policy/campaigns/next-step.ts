import { type Handed, type HoldReason, isTooLate, type Released, reasonToHold } from "./hold.ts";
import type { Refusals } from "./refused-in-row.ts";
import { TAKEN } from "./slice.ts";
import type { CampaignStatus, ProgressState } from "./types.ts";

/**
 * Campaign progress; times are Unix ms. `pass` runs over all recipients; for `cancel` see `isClearing`. `counts.sent`
 * are accepted mails. `confirmed`, `most` and `ready` are recipient counts. `wave`: undecided bounces, which may be sent again.
 */
export type Progress = {
  status: CampaignStatus;
  state: ProgressState | null;
  scheduledAt: number | null;
  maxContact: number | null;
  confirmed: number | null;
  most: number | null;
  ready: number;
  snapshotCursor: number;
  claimedCursor: number;
  pass: "cancel" | "retry" | null;
  passCursor: number;
  released: Released | null;
  refusals: Refusals | null;
  wave: number | null;
  counts: { queued: number; inLedger: number; sent: number };
  results: Handed & { deferred: number };
};

/**
 * The next slice: `snapshot` reads contacts, `send`: Mailers may take the mail of the next recipients. `cancel`, `retry` and `clear` update recipients.
 * `finish` and `end` follow when all have results.
 */
export type Step =
  | { act: "start" | "snapshot" | "finish" | "cancel" | "retry" | "clear" | "end" }
  | { act: "send" }
  | { act: "hold"; reason: HoldReason };

/**
 * The limit of queued mails keeps all Mailers busy and a pause effective. Deferred mails do not count, so that a slow
 * domain does not block others.
 */
const WINDOW = 2_000;
/** The limit of queued mails if domain limits delay most. */
export const WIDE_WINDOW = 20_000;

/** Further conditions. `isFull`: the team's database, or the rows of the day, take no recipients and no marketing mail. `hasLittleMail`: the Mailers soon have no sendable marketing mail. */
export type Conditions = { isFull?: boolean; hasLittleMail(): boolean };

/** True while recipients of an unscheduled start are deleted, before a later start collects. */
export const isClearing = ({ pass, state, maxContact }: Pick<Progress, "pass" | "state" | "maxContact">): boolean =>
  pass === "cancel" && (state !== "cancelled" || maxContact === null);

/** Returns the next step; undefined while waiting for a time, person or result. */
export const nextStep = (campaign: Progress, now: number, { isFull, hasLittleMail }: Conditions): Step | undefined => {
  const { status, state, scheduledAt, maxContact, pass, counts, results } = campaign;
  if (isClearing(campaign)) return { act: "clear" };
  if (status === "Scheduled") return startOf(scheduledAt ?? now, now);
  if (pass === "retry") return { act: "retry" };
  if (pass === "cancel") {
    if (campaign.passCursor < (maxContact ?? 0)) return { act: "cancel" };
    return counts.inLedger === 0 ? { act: "end" } : undefined;
  }
  if (status !== "Sending" || maxContact === null) return undefined;
  if (state === "snapshot") return isFull ? undefined : { act: "snapshot" };
  if (campaign.snapshotCursor < maxContact) return undefined;
  if (campaign.wave !== null) return state === "sending" ? { act: "hold", reason: "bounce_wave" } : undefined;
  const hasMore = counts.queued > 0 && campaign.claimedCursor < maxContact;
  if (!hasMore && counts.inLedger === 0) return { act: "finish" };
  if (state !== "sending") return undefined;
  const reason = reasonToHold(campaign);
  if (reason) return { act: "hold", reason };
  if (!hasMore || isFull) return undefined;
  const waiting = counts.inLedger - results.deferred;
  // Mail for a slow domain must not block other domains.
  const hasRoom = waiting <= WINDOW - TAKEN || (waiting <= WIDE_WINDOW - TAKEN && hasLittleMail());
  return hasRoom ? { act: "send" } : undefined;
};

const startOf = (scheduledAt: number, now: number): Step | undefined => {
  if (now < scheduledAt) return undefined;
  return isTooLate(scheduledAt, now) ? { act: "hold", reason: "late" } : { act: "start" };
};
