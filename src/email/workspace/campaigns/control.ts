import { verdictOf } from "../../policy/campaigns/actions.ts";
import type { HoldReason, Released } from "../../policy/campaigns/hold.ts";
import { isClearing } from "../../policy/campaigns/next-step.ts";
import type { ProgressState } from "../../policy/campaigns/types.ts";
import { newestMessage } from "../content/cascade.ts";
import { type Context, wake } from "../core/context.ts";
import { lastContact } from "../segments/audience.ts";
import { findSegment } from "../segments/segment-rows.ts";
import { waveInRow } from "../waves/wave-rows.ts";
import { campaignInRow, handedOf, type StoredCampaign, startToMove } from "./campaign-rows.ts";
import { keepRetry, type Retry, resumeRefused, retryOf, unknownOfDeleted } from "./retry-unknown.ts";
import { endWave } from "./wave-work.ts";

const goOn = (context: Context): void => {
  context.after.entered = true;
  wake(context, context.now);
};

const setState = ({ sql, now }: Context, { n }: StoredCampaign, state: ProgressState, reason: string | null = null) => {
  sql.exec("UPDATE campaigns SET state = ?, reason = ?, updated_at = ? WHERE n = ?", state, reason, now, n);
};

/** Later edits of the segment do not change this campaign. */
const keepSegment = ({ sql }: Context, { n, segment, segmentFilter }: StoredCampaign): void => {
  if (segment === null || segmentFilter !== null) return;
  const { filter } = findSegment(sql, segment) ?? {};
  if (filter === undefined) throw new Error(`The segment ${segment} is gone, although a campaign uses it.`);
  sql.exec("UPDATE campaigns SET segment_filter = ? WHERE n = ?", filter, n);
};

/** `confirmed`: by a person. `most`: above which it is held; null for the default. */
export type Bound = Pick<StoredCampaign, "confirmed" | "most">;

/** Fixes content and audience. `bound`: recipients to compare with the collected ones. */
export const startCampaign = (
  context: Context,
  campaign: StoredCampaign,
  { confirmed, most }: Bound = campaign,
): void => {
  const { sql, now } = context;
  keepSegment(context, campaign);
  newestMessage(context, campaign.messageId);
  sql.exec(
    `UPDATE campaigns SET status = 'Sending', state = 'snapshot', confirmed = ?, most = ?, ready = 0, not_selected = 0, not_on_list = 0, reason = NULL, max_contact = ?, started_at = ?, updated_at = ?
     WHERE n = ?`,
    confirmed,
    most,
    lastContact(sql),
    now,
    now,
    campaign.n,
  );
  goOn(context);
};

/** Schedules a draft for `scheduledAt`. */
export const scheduleCampaign = (
  context: Context,
  campaign: StoredCampaign,
  { confirmed, most }: Bound = { confirmed: null, most: null },
): void => {
  keepSegment(context, campaign);
  context.sql.exec(
    "UPDATE campaigns SET status = 'Scheduled', scheduled_at = ?, confirmed = ?, most = ?, updated_at = ? WHERE n = ?",
    campaign.scheduledAt,
    confirmed,
    most,
    context.now,
    campaign.n,
  );
  wake(context, campaign.scheduledAt ?? context.now);
};

/** Reverts a scheduled or held, unsent campaign to a draft. */
export const unscheduleCampaign = (context: Context, campaign: StoredCampaign): void => {
  if (verdictOf("unschedule", campaign) !== "changes") return;
  const { n, maxContact, pass } = campaign;
  context.sql.exec(
    `UPDATE campaigns SET status = 'Draft', scheduled_at = iif(method = 'now', NULL, scheduled_at), state = NULL, reason = NULL, segment_filter = NULL, confirmed = NULL, most = NULL, max_contact = NULL,
       not_selected = NULL, not_on_list = NULL, recipients = 0, queued = 0, skipped = 0, deleted = 0, snapshot_cursor = 0, started_at = NULL, moving_since = NULL, moved = 0, pass = ?, updated_at = ? WHERE n = ?`,
    maxContact === null ? pass : "cancel",
    context.now,
    n,
  );
  goOn(context);
};

const isMoving = ({ status, state }: StoredCampaign): boolean =>
  status === "Sending" && (state === "snapshot" || state === "sending");

export const pauseCampaign = (context: Context, campaign: StoredCampaign): void => {
  if (!isMoving(campaign)) return;
  setState(context, campaign, "paused");
  context.after.stopped.push(campaign.id);
};

/** Holds a campaign until a person resumes it. */
export const holdCampaign = (context: Context, campaign: StoredCampaign, reason: HoldReason): void => {
  if (!isMoving(campaign) && campaign.status !== "Scheduled") return;
  context.sql.exec(
    "UPDATE campaigns SET status = 'Sending', segment_filter = iif(?, NULL, segment_filter) WHERE n = ?",
    reason === "not_ready" ? 1 : 0,
    campaign.n,
  );
  setState(context, campaign, "held", reason);
  context.after.stopped.push(campaign.id);
};

/** Resets the counters. Held mail has 24 hours from now. `expected`: new confirmed recipients, with the default bound. */
export const resumeCampaign = (context: Context, held: StoredCampaign, expected?: number): void => {
  const campaign = held.state === "held" && held.reason === "bounce_wave" ? leaveOwnWave(context, held) : held;
  const { n, state, maxContact, snapshotCursor, reason, released, results } = campaign;
  if (state !== "paused" && state !== "held") return;
  if (maxContact === null) {
    startCampaign(context, campaign, expected === undefined ? campaign : { confirmed: expected, most: null });
    return;
  }
  const rate = reason === "bounce_wave" ? "bounce_rate" : reason;
  if (rate === "bounce_rate" || rate === "complaint_rate") {
    const now: Released = { ...released, [rate]: handedOf(results) };
    context.sql.exec("UPDATE campaigns SET released = ? WHERE n = ?", JSON.stringify(now), n);
  }
  resumeRefused(context, campaign);
  if (reason === "more_recipients")
    context.sql.exec("UPDATE campaigns SET confirmed = NULL, most = NULL WHERE n = ?", n);
  setState(context, campaign, snapshotCursor < maxContact ? "snapshot" : "sending");
  startToMove(context, campaign);
  goOn(context);
};

/** A wave without a decision ends: its mails are sent again, and no address is suppressed. */
const leaveOwnWave = (context: Context, campaign: StoredCampaign): StoredCampaign => {
  const { sql } = context;
  const { n, wave } = campaign;
  const found = wave === null ? undefined : waveInRow(sql, wave);
  if (found?.decision === null) endWave(context, found, "resend");
  sql.exec("UPDATE campaigns SET wave = NULL WHERE n = ?", n);
  return campaignInRow(sql, n) ?? campaign;
};

/** Cancels a campaign for good. Recipients follow in slices, without claims meanwhile. */
export const cancelCampaign = (context: Context, campaign: StoredCampaign): void => {
  const { sql, now } = context;
  const { n, id, status, maxContact } = campaign;
  if (status !== "Scheduled" && status !== "Sending") return;
  // Recipients of an undone start are being deleted; this start has none yet.
  const isOld = isClearing(campaign);
  const hasRecipients = maxContact !== null && !isOld;
  sql.exec(
    `UPDATE campaigns SET status = 'Sent', state = 'cancelled', reason = NULL, pass = ?, pass_cursor = 0, max_contact = ?, finished_at = ?,
       updated_at = ? WHERE n = ?`,
    hasRecipients || isOld ? "cancel" : null,
    hasRecipients ? maxContact : null,
    hasRecipients || isOld ? null : now,
    now,
    n,
  );
  context.after.stopped.push(id);
  goOn(context);
};

/**
 * Retries unknown mails in slices, possibly sending some twice. Later unknowns and contacts without consent are left
 * out.
 *
 * @returns progress; undefined without unknown outcomes; `busy` during other work on all recipients
 */
export const retryUnknown = (context: Context, campaign: StoredCampaign): Retry | "busy" | undefined => {
  const { sql, now } = context;
  const { n, pass, counts } = campaign;
  if (pass === "retry") return retryOf(sql, campaign);
  if (campaign.state === "cancelled" || counts.unknown === 0) return undefined;
  if (pass !== null) return "busy";
  const deleted = unknownOfDeleted(sql, campaign);
  const leftOut: Retry["leftOut"] = deleted > 0 ? { contact_deleted: deleted } : {};
  const retry = { at: now, unknown: counts.unknown, retried: 0, leftOut, ended: deleted >= counts.unknown };
  keepRetry(context, campaign, retry);
  if (!retry.ended) {
    sql.exec("UPDATE campaigns SET pass = 'retry', pass_cursor = 0, pass_at = ? WHERE n = ?", now, n);
    goOn(context);
  }
  return retry;
};
