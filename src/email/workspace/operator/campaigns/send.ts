import type { Refusal } from "../../../../lib/contract/errors.ts";
import { isoOrNull, secondInWords } from "../../../../lib/util/dates.ts";
import { isOther, mostAtOnce, mostLater } from "../../../policy/campaigns/confirmed.ts";
import { notReady } from "../../../policy/readiness/faults.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { readyOf } from "../../campaigns/campaign-readiness.ts";
import { findCampaign, type StoredCampaign } from "../../campaigns/campaign-rows.ts";
import { type Bound, scheduleCampaign, startCampaign } from "../../campaigns/control.ts";
import type { Context } from "../../core/context.ts";
import { unreachedIn } from "../../segments/unreached.ts";
import { aimOf, type CountedAudience, isSmall } from "./count-audience.ts";
import { estimateOf } from "./projection.ts";

type Answer = { body: unknown } | { refusal: Refusal };

/** Starts or schedules a ready draft with the expected recipients, or returns all problems. */
export const sendCampaign = (
  context: Context,
  { campaignId, expected, maxRecipients, delaySeconds = 0, dryRun }: AdminInput<"campaigns.send">,
  counted: CountedAudience | undefined,
): Answer => {
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  const { campaign } = found;
  const { id, status } = campaign;
  if (status !== "Draft") return refuse("campaign_not_draft", sentText(campaign));
  const aim = aimOf(context.sql, campaign);
  // An edit after the count makes it a count of another audience.
  if (counted && counted.of !== aim?.of)
    return refuse("audience_changed", "The audience of the campaign was edited just now. Estimate it, and send again.");
  const { recipients, exact, high } = aim
    ? estimateOf(context.sql, aim, counted, context.now)
    : { recipients: 0, exact: true, high: 0 };
  // A sample without recipients does not prove that there are none.
  const { problems, warnings: ofCampaign } = readyOf(context, campaign, high);
  const warnings = [...ofCampaign, ...(aim ? unreachedIn(context.sql, aim.named, context.now) : [])];
  const scheduledAt = startOf(campaign, delaySeconds, context.now);
  const most = maxRecipients ?? (campaign.scheduledAt === null ? mostAtOnce : mostLater)(expected ?? recipients);
  const shown = {
    id,
    scheduledFor: isoOrNull(scheduledAt),
    recipients: { estimate: recipients, exact },
    maxRecipients: scheduledAt === null ? null : most,
    warnings,
  };
  if (dryRun) return { body: { ...shown, status, problems } };
  if (problems.length > 0) return refuse("campaign_not_ready", notReady("campaign", problems), { problems, warnings });
  if (counted === undefined && !isSmall(context.sql)) return refuse("audience_not_counted", NOT_COUNTED);
  if (expected === undefined || isOther(recipients, expected)) {
    const message = `expected: the campaign would go to ${recipients} recipients now, not to ${expected}. Check its audience, and send it with the new number.`;
    return { refusal: { code: "audience_changed", path: "expected", message, detail: { expected, recipients } } };
  }
  const bound = scheduledAt !== null || counted?.kept === true ? { confirmed: expected, most } : UNBOUND;
  return { body: { ...shown, status: begin(context, { ...campaign, scheduledAt }, bound), problems } };
};

const NOT_COUNTED =
  'The recipients of the campaign were not counted in the last ten minutes, or its audience or message was edited since. POST …/estimate with "exact": true, and on with "cursor" until "next" is null; then send it again.';

const sentText = (campaign: StoredCampaign): string =>
  `The campaign was sent or scheduled already, in another tab or by another person or program. ${sinceText(campaign)} This request changed nothing.`;

const sinceText = ({ status, state, scheduledAt, startedAt, finishedAt }: StoredCampaign): string => {
  const at = (time: number | null) => (time === null ? "" : ` at ${secondInWords(time)}`);
  if (status === "Scheduled")
    return `It begins${at(scheduledAt)}. If that is wrong, unschedule it before then: it is a draft again.`;
  if (state === "cancelled") return "It was cancelled after that. To send it after all, duplicate it.";
  if (status === "Sent")
    return `It began${at(startedAt)} and was done${at(finishedAt)}. To send it again, duplicate it.`;
  if (startedAt === null) return "It is held at its start, and nothing of it is sent. Resume it, or unschedule it.";
  return `It began${at(startedAt)}, and is ${state === "paused" || state === "held" ? state : "sending"} now.`;
};

/** Unix ms; null for an immediate start. The delay applies only without a scheduled time. */
const startOf = ({ method, scheduledAt }: StoredCampaign, delaySeconds: number, now: number): number | null =>
  method === "now" && delaySeconds > 0 ? now + 1_000 * delaySeconds : scheduledAt;

/** Of a campaign that starts at once with recipients that were counted just now. */
const UNBOUND: Bound = { confirmed: null, most: null };

const begin = (context: Context, campaign: StoredCampaign, bound: Bound): "Scheduled" | "Sending" => {
  if (campaign.scheduledAt !== null) {
    scheduleCampaign(context, campaign, bound);
    return "Scheduled";
  }
  startCampaign(context, campaign, bound);
  return "Sending";
};

const refuse = (code: Refusal["code"], message: string, detail?: Refusal["detail"]): { refusal: Refusal } => ({
  refusal: { code, path: "campaignId", message, ...(detail ? { detail } : {}) },
});
