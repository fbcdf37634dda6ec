import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { isClearing } from "../../policy/campaigns/next-step.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { unsubscribeReasonsOf } from "../sending/marketing/unsubscribes.ts";
import { messageMetrics } from "../sends/message-metrics.ts";
import { linksOf } from "../tracking/links.ts";
import { engagementCounts } from "../tracking/tracking.ts";
import { findCampaign } from "./campaign-rows.ts";
import { reasonsOf } from "./reasons.ts";

type Answer = { body: unknown } | { refusal: Refusal };

/** All but the reasons are exact counters. */
export const showResults = async (
  context: Context,
  { campaignId }: AdminInput<"statistics.results">,
): Promise<Answer> => {
  const { sql, now } = context;
  const known = findCampaign(context, campaignId);
  if ("refusal" in known) return known;
  const { reasons, at } = isClearing(known.campaign)
    ? { reasons: [], at: now }
    : await reasonsOf(sql, known.campaign.n, now);
  // The campaign may have changed while reasons were counted.
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  const { id, name, status, messageId, message, counts, deleted } = found.campaign;
  const { queued, inLedger, ...settled } = counts;
  const metrics = messageMetrics(sql, messageId);
  const { sends, hardBounces, softBounces, spamReports: complained, unsubscribes: unsubscribed } = metrics;
  const { prefetched, scanned } = engagementCounts(sql, message);
  return {
    body: {
      id,
      name,
      status,
      ...settled,
      queued: queued + inLedger,
      delivered: Math.max(0, sends - hardBounces - softBounces),
      bounced: hardBounces + softBounces,
      hardBounces,
      softBounces,
      complained,
      unsubscribed,
      unsubscribeReasons: unsubscribeReasonsOf(sql, message),
      opened: metrics.opens,
      clicked: metrics.clicks,
      prefetched,
      scanned,
      reasons: isClearing(found.campaign) ? [] : reasons,
      deleted,
      reasonsAt: isoOf(at),
    },
  };
};

export const showLinks = (context: Context, { campaignId }: AdminInput<"statistics.links">): Answer => {
  const { sql } = context;
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  const { message } = found.campaign;
  const { revision } = sql.exec<{ revision: number }>("SELECT revision FROM email_messages WHERE n = ?", message).one();
  return { body: { data: linksOf(sql, { message, revision }) } };
};
