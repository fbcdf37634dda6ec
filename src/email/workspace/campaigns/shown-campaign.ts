import type { Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { paceOf } from "../../policy/campaigns/progress.ts";
import type { Context } from "../core/context.ts";
import { waitForDays } from "../core/day-rows-words.ts";
import { isFull } from "../core/size.ts";
import { waitForLimits } from "../limits/windows/shown-windows.ts";
import { type StoredCampaign, withResult } from "./campaign-rows.ts";

type Campaign = Response<V1["campaigns"]["get"]>;
type Shower = Pick<Context, "sql" | "origin" | "now" | "dayRows" | "maxBytes">;

export const commonFields = ({ origin }: Pick<Shower, "origin">, campaign: StoredCampaign) => ({
  id: campaign.id,
  url: `${origin}/v1/campaigns/${encodeURIComponent(campaign.id)}`,
  name: campaign.name,
  createdAt: isoOf(campaign.createdAt),
  updatedAt: isoOf(campaign.updatedAt),
  emailMessageId: campaign.messageId,
  campaignGroupId: campaign.group,
  mailingListId: campaign.list,
  audienceSegmentId: campaign.segment,
  audienceFilter: campaign.filter,
  // A campaign with method "now" may have waited while sending could be undone.
  scheduling: {
    method: campaign.method,
    timestamp: campaign.method === "now" ? null : isoOrNull(campaign.scheduledAt),
  },
});

export const shownCampaign = (context: Shower, campaign: StoredCampaign): Campaign => {
  const progress = progressOf(context, campaign);
  return {
    ...commonFields(context, campaign),
    status: campaign.status,
    ...(progress ? { delivery: progress } : {}),
  };
};

export const progressOf = (shower: Omit<Shower, "origin">, campaign: StoredCampaign): Campaign["delivery"] => {
  const { sql, now } = shower;
  const { state, reason, counts, movingSince, moved, startedAt, finishedAt } = campaign;
  if (state === null) return undefined;
  const { recipients, queued, inLedger, ...settled } = counts;
  const left = queued + inLedger;
  const waits = [waitForLimits(sql, now, left), waitForDays(shower, left)];
  const lastAt = Math.max(...waits.map((wait) => wait.lastAt));
  const isPaused = waits.some((wait) => wait.isFull);
  const { perSecond, doneAt } =
    state === "sending" && movingSince !== null && !isFull(shower)
      ? paceOf({ since: movingSince, done: withResult(counts) - moved, left, lastAt, isFull: isPaused }, now)
      : { perSecond: null, doneAt: null };
  return {
    state,
    ...(reason === null ? {} : { reason }),
    recipients,
    queued: left,
    ...settled,
    startedAt: isoOrNull(startedAt),
    finishedAt: isoOrNull(finishedAt),
    perSecond,
    eta: isoOrNull(doneAt),
  };
};
