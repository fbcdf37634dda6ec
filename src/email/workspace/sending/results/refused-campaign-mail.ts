import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import { isAboutMail, readRefusals, withRefusal } from "../../../policy/campaigns/refused-in-row.ts";
import type { Handover } from "../../../types/mail-handover.ts";
import { excerptOf } from "../../limits/limit-words.ts";
import type { AnswerCounts } from "../answer-counts.ts";
import { eventsOf } from "../send-events.ts";

const PAUSE_MS = { least: MINUTE_MS, most: 2 * MINUTE_MS };

type Clock = { sql: SqlStorage; now: number; random(): number; counts: AnswerCounts };

type Refused = { n: number; origin: string | null; message: string; notBefore: number };

/** True if a provider may give this refusal to all mails. */
export const mayBeAboutAll = (handover: Extract<Handover, { outcome: "refused" }>): boolean =>
  handover.local !== true && ["content", "policy", "sender"].includes(handover.about);

type Row = { n: number; message: number; refusals: string | null; taken: number; open: number };

const sendingCampaign = (sql: SqlStorage, origin: string | null): Row | undefined => {
  if (!origin?.startsWith("cmp_")) return undefined;
  return sql
    .exec<Row>(
      `SELECT c.n, c.message, c.refusals, coalesce(k.sends - k.refused, 0) AS taken, c.queued + coalesce(k.accepted - k.settled, 0) AS open
       FROM campaigns c LEFT JOIN message_counts k ON k.message = c.message WHERE c.id = ? AND c.status = 'Sending'`,
      origin,
    )
    .toArray()[0];
};

/** Counts a refusal that a report tells, of a mail that left after the last resume. Many hold a campaign too. */
export const reported = (
  sql: SqlStorage,
  { origin, words, leftAt }: { origin: string | null; words: string; leftAt: number },
): void => {
  const campaign = sendingCampaign(sql, origin);
  if (!campaign) return;
  const { n, taken } = campaign;
  const known = readRefusals(campaign.refusals);
  if (leftAt <= (known?.since ?? 0)) return;
  const refusals = withRefusal(known, taken, excerptOf(words));
  sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", JSON.stringify(refusals), n);
};

/**
 * Retries a refused campaign mail unless the refusal concerns only this mail. Too many refusals hold the campaign.
 *
 * @returns the next due time in Unix ms; undefined for a final refusal
 */
export const doubted = (
  { sql, now, random, counts }: Clock,
  { n, origin, message, notBefore }: Refused,
): number | undefined => {
  const campaign = sendingCampaign(sql, origin);
  if (!campaign) return undefined;
  const { sends, refused, settled } = counts.of(campaign.message);
  const taken = campaign.taken + sends - refused;
  const open = campaign.open - settled;
  const known = counts.refusals.get(campaign.n) ?? readRefusals(campaign.refusals);
  const refusals = withRefusal(known, taken, excerptOf(message));
  counts.refusals.set(campaign.n, refusals);
  const times = 1 + refusedBefore(sql, n);
  if (isAboutMail(refusals, { taken, open, times })) return undefined;
  const pause = PAUSE_MS.least + Math.floor(random() * (PAUSE_MS.most - PAUSE_MS.least));
  return Math.max(notBefore, now + pause);
};

/** Counts refusals since a person sent the mail again. */
const refusedBefore = (sql: SqlStorage, n: number): number => {
  const events = eventsOf(sql, n);
  const since = events.findLast(({ kind }) => kind === "retried")?.at ?? 0;
  return events.filter(({ kind, at }) => kind === "refused" && at >= since).length;
};
