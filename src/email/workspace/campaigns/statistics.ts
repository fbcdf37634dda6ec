import type { Refusal } from "../../../lib/contract/errors.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { isClearing } from "../../policy/campaigns/next-step.ts";
import { pointsOf, type Times } from "../../policy/campaigns/times.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import { unsubscribeReasonsOf } from "../sending/marketing/unsubscribes.ts";
import { messageMetrics } from "../sends/message-metrics.ts";
import { timeZoneOf } from "../team/team.ts";
import { linksOf } from "../tracking/links.ts";
import { engagementCounts } from "../tracking/tracking.ts";
import { findCampaign, type StoredCampaign } from "./campaign-rows.ts";
import { reasonsOf } from "./reasons.ts";
import { NO_RESULTS, resultCounts } from "./result-counts.ts";

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
  const { id, name, status, messageId, message, counts, deleted, notSelected, notOnList } = found.campaign;
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
      leftOut: notSelected === null || notOnList === null ? null : { notSelected, notOnList },
      previous: previousOf(sql, found.campaign),
      deleted,
      reasonsAt: isoOf(at),
    },
  };
};

type Previous = { id: string; name: string; message: number; startedAt: number };

/** Campaigns that are looked at: most were created in the order in which they were sent. */
const OLDER = 500;
const NEWER = 100;

/** The last campaign before this one that was sent. A draft is compared with the newest. */
const previousOf = (sql: SqlStorage, { n, startedAt }: StoredCampaign) => {
  const [previous] = sql
    .exec<Previous>(
      `SELECT id, name, message, started_at AS startedAt
       FROM (SELECT * FROM (SELECT * FROM campaigns WHERE n < ?1 ORDER BY n DESC LIMIT ${OLDER})
         UNION ALL SELECT * FROM (SELECT * FROM campaigns WHERE n > ?1 ORDER BY n LIMIT ${NEWER}))
       WHERE started_at <= ?2 AND status = 'Sent' AND state = 'done' ORDER BY started_at DESC LIMIT 1`,
      n,
      startedAt ?? Number.MAX_SAFE_INTEGER,
    )
    .toArray();
  if (!previous) return null;
  const { id, name, message } = previous;
  const counts = resultCounts(sql, [message]).get(message) ?? NO_RESULTS;
  return { id, name, startedAt: isoOf(previous.startedAt), ...counts };
};

type Stored = { sent: string | null; opened: string | null; clicked: string | null };

/** Reads the counts of a campaign over time, of two rows. */
export const showSeries = ({ sql, now }: Context, { campaignId, unit }: AdminInput<"statistics.series">): Answer => {
  const found = findCampaign({ sql }, campaignId);
  if ("refusal" in found) return found;
  const { startedAt, message } = found.campaign;
  const timeZone = timeZoneOf(sql);
  const shown = { unit, timeZone, startedAt: isoOrNull(startedAt) };
  if (startedAt === null) return { body: { ...shown, points: [], later: { sent: 0, opened: 0, clicked: 0 } } };
  const stored = sql
    .exec<Stored>(
      `SELECT c.sent_times AS sent, e.opened_times AS opened, e.clicked_times AS clicked
       FROM email_messages m LEFT JOIN message_counts c ON c.message = m.n LEFT JOIN message_engagement e ON e.message = m.n
       WHERE m.n = ?`,
      message,
    )
    .one();
  const lineOf = (json: string | null) => {
    const times = JSON.parse(json ?? "{}") as Times;
    const points = pointsOf({ unit, startedAt, now, zone: timeZone }, times);
    const all = Object.values(times).reduce((sum, count) => sum + count, 0);
    return { points, later: all - points.reduce((sum, { count }) => sum + count, 0) };
  };
  const [sent, opened, clicked] = [lineOf(stored.sent), lineOf(stored.opened), lineOf(stored.clicked)];
  return {
    body: {
      ...shown,
      points: sent.points.map(({ at, count }, place) => ({
        at: isoOf(at),
        sent: count,
        opened: opened.points[place]?.count ?? 0,
        clicked: clicked.points[place]?.count ?? 0,
      })),
      later: { sent: sent.later, opened: opened.later, clicked: clicked.later },
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
