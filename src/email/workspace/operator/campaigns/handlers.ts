import type { Refusal } from "../../../../lib/contract/errors.ts";
import { pageOf } from "../../../../lib/contract/pagination.ts";
import { isoOf, isoOrNull } from "../../../../lib/util/dates.ts";
import { type Action, verdictOf } from "../../../policy/campaigns/actions.ts";
import { isOther, mostAtOnce } from "../../../policy/campaigns/confirmed.ts";
import { notReady } from "../../../policy/readiness/faults.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { ownProblems } from "../../campaigns/campaign-readiness.ts";
import { countCampaigns, findCampaign, listCampaigns, type StoredCampaign } from "../../campaigns/campaign-rows.ts";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  retryUnknown,
  unscheduleCampaign,
} from "../../campaigns/control.ts";
import { resultCounts } from "../../campaigns/result-counts.ts";
import { retryOf } from "../../campaigns/retry-unknown.ts";
import { progressOf } from "../../campaigns/shown-campaign.ts";
import type { Context } from "../../core/context.ts";
import { rowsForCampaign } from "../../core/day-rows-words.ts";
import { campaignObstacles } from "../../core/size.ts";
import { unreachedIn } from "../../segments/unreached.ts";
import { readTeam } from "../../team/team.ts";
import { aimOf, type GoneOn, isSmall, keepCount } from "./count-audience.ts";
import { estimateOf } from "./projection.ts";
import { withAudience } from "./unsaved-audience.ts";

type Answer = { body: unknown } | { refusal: Refusal };

export const list = (context: Context, input: AdminInput<"campaigns.list">): Answer => {
  const { sql, origin } = context;
  const { status } = input;
  let results: ReturnType<typeof resultCounts> = new Map();
  const rows = (before: number, count: number) => {
    const found = listCampaigns(sql, before, count, status);
    results = resultCounts(
      sql,
      found.map(({ message }) => message),
    );
    return found;
  };
  const url = `${origin}/admin/teams/${readTeam(sql).slug}/campaigns`;
  const shownInList = (campaign: StoredCampaign) => ({
    ...shownToOperator(context, campaign),
    results: campaign.startedAt === null ? null : (results.get(campaign.message) ?? null),
    createdAt: isoOf(campaign.createdAt),
    updatedAt: isoOf(campaign.updatedAt),
  });
  return pageOf(url, input, countCampaigns(sql, status), rows, shownInList, status ? { status } : {});
};

export const shownToOperator = (context: Pick<Context, "sql" | "now" | "dayRows">, campaign: StoredCampaign) => ({
  id: campaign.id,
  name: campaign.name,
  status: campaign.status,
  scheduledFor: isoOrNull(campaign.scheduledAt),
  progress: progressOf(context, campaign) ?? null,
});

const findFor = (
  context: Context,
  action: Action,
  id: string,
): { campaign: StoredCampaign; changes: boolean } | { refusal: Refusal } => {
  const found = findCampaign(context, id);
  if ("refusal" in found) return found;
  const verdict = verdictOf(action, found.campaign);
  if (typeof verdict === "object") return { refusal: { ...verdict, path: "campaignId" } };
  return { campaign: found.campaign, changes: verdict === "changes" };
};

const act =
  (action: Action, change: (context: Context, campaign: StoredCampaign) => void) =>
  (context: Context, { campaignId }: { campaignId: string }): Answer => {
    const found = findFor(context, action, campaignId);
    if ("refusal" in found) return found;
    if (found.changes) change(context, found.campaign);
    const after = findCampaign(context, campaignId);
    return "refusal" in after ? after : { body: shownToOperator(context, after.campaign) };
  };

export const unschedule = act("unschedule", unscheduleCampaign);
export const pause = act("pause", pauseCampaign);
export const cancel = act("cancel", cancelCampaign);

const notAsked = ({ maxContact, reason }: StoredCampaign, expected: number | undefined): Refusal | undefined => {
  if (expected === undefined || maxContact === null || reason === "more_recipients") return undefined;
  const message =
    "expected: the recipients of the campaign are fixed, and it goes on with those that are left. Resume it without expected.";
  return { code: "invalid_request", path: "expected", message };
};

/** Returns the recipients of a campaign held because they exceed the confirmed number; else null. */
export const unconfirmedOf = ({
  state,
  reason,
  ready,
  confirmed,
  most,
}: StoredCampaign): { recipients: number; confirmed: number; maxRecipients: number } | null =>
  state === "held" && reason === "more_recipients"
    ? { recipients: ready, confirmed: confirmed ?? 0, maxRecipients: most ?? mostAtOnce(confirmed ?? 0) }
    : null;

const unconfirmed = (campaign: StoredCampaign, expected: number | undefined): Refusal | undefined => {
  const asked = unconfirmedOf(campaign);
  if (asked === null || (expected !== undefined && !isOther(asked.recipients, expected))) return undefined;
  const { recipients, confirmed } = asked;
  const message = `expected: the campaign would go to ${recipients} recipients now, and a person confirmed ${confirmed}. Resume it with "expected": ${recipients} to send it to all of them, unschedule it to change it, or cancel it.`;
  return { code: "audience_changed", path: "expected", message, detail: { expected, recipients, confirmed } };
};

/**
 * Resumes a campaign. One held at its start needs readiness and confirmed recipients; before collection, `expected`
 * is compared at the start.
 */
export const resume = (context: Context, input: AdminInput<"campaigns.resume">): Answer => {
  const { expected } = input;
  const found = findFor(context, "resume", input.campaignId);
  if ("refusal" in found) return found;
  const resumeAny = act("resume", (given, campaign) => resumeCampaign(given, campaign, expected));
  if (!found.changes) return resumeAny(context, input);
  const refusal = unconfirmed(found.campaign, expected) ?? notAsked(found.campaign, expected);
  if (refusal) return { refusal };
  const problems = found.campaign.maxContact === null ? ownProblems(context, found.campaign) : [];
  if (problems.length === 0) return resumeAny(context, input);
  const message = `${notReady("campaign", problems)} Fix that and resume it, or unschedule it to change it.`;
  return { refusal: { code: "campaign_not_ready", path: "campaignId", message, detail: { problems, warnings: [] } } };
};

/** Retries mails with an unknown outcome. The answer has their number; the status has the progress. */
export const retry = (context: Context, { campaignId }: AdminInput<"campaigns.retryUnknown">): Answer => {
  const found = findFor(context, "retryUnknown", campaignId);
  if ("refusal" in found) return found;
  const begun = retryUnknown(context, found.campaign);
  if (begun === "busy") return { refusal: BUSY };
  const after = findCampaign(context, campaignId);
  if ("refusal" in after) return after;
  return { body: { id: campaignId, retry: begun ? shownRetry(context, after.campaign) : null } };
};

const BUSY: Refusal = {
  code: "campaign_busy",
  path: "campaignId",
  message:
    "The recipients of an earlier start of the campaign are being deleted, and nothing is sent again meanwhile. Ask again in a minute.",
};

/** Returns the progress of the newest retry of unknown mails, or null. */
export const shownRetry = ({ sql }: Pick<Context, "sql">, campaign: StoredCampaign) => {
  const found = retryOf(sql, campaign);
  if (!found) return null;
  const { at, ended = true, ...numbers } = found;
  const isOn = campaign.pass === "retry";
  return { askedAt: isoOf(at), ...numbers, done: ended && !isOn, stopped: !ended && !isOn };
};

/** Returns counted recipients or an estimate. A finished count of a large team is kept for sending. */
export const estimate = (context: Context, input: AdminInput<"campaigns.estimate">, goneOn: GoneOn): Answer => {
  const { sql, now } = context;
  const found = findCampaign(context, input.campaignId);
  if ("refusal" in found) return found;
  const asked = withAudience(sql, found.campaign, input.audience);
  if ("refusal" in asked) return asked;
  const aim = aimOf(sql, asked.campaign);
  if (!aim) {
    const problems = ownProblems(context, { ...found.campaign, ...asked.campaign }).filter(({ path }) =>
      path?.startsWith("audience"),
    );
    const message = [
      "The audience of the campaign cannot be evaluated.",
      ...problems.map((problem) => problem.message),
    ].join(" ");
    return { refusal: { code: "campaign_not_ready", path: problems[0]?.path ?? "campaignId", message } };
  }
  const { fault, next = null } = goneOn;
  if (fault) return { refusal: CURSOR_FAULTS[fault] };
  const counted = goneOn.counted?.of === aim.of ? goneOn.counted : undefined;
  // An estimate needs a lower role, so sending must not use it, even if the team has grown.
  const isExact = input.exact || input.cursor !== undefined;
  if (isExact && counted && counted.after === undefined && !isSmall(sql)) keepCount(context, input.campaignId, counted);
  const obstacles = campaignObstacles(context);
  const estimated = estimateOf(sql, aim, counted, now);
  const dayRows = rowsForCampaign(context, estimated.recipients);
  const warnings = unreachedIn(sql, aim.named, now);
  return {
    body: {
      ...estimated,
      ...(dayRows ? { dayRows } : {}),
      next: counted ? next : null,
      ...(obstacles.length > 0 ? { obstacles } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
};

const CURSOR_FAULTS: Readonly<Record<"other" | "invalid", Refusal>> = {
  other: {
    code: "audience_changed",
    path: "cursor",
    message: "cursor: the audience of the campaign was edited since the count began. Leave it out to begin again.",
  },
  invalid: {
    code: "invalid_request",
    path: "cursor",
    message: "cursor: not one that an estimate of this campaign gave in the last ten minutes. Leave it out to begin.",
  },
};
