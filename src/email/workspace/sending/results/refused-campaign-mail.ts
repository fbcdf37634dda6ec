import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import { isAboutMail, readRefusals, withRefusal } from "../../../policy/campaigns/refused-in-row.ts";
import type { Handover } from "../../../types/mail-handover.ts";
import { excerptOf } from "../../limits/limit-words.ts";

const PAUSE_MS = { least: MINUTE_MS, most: 2 * MINUTE_MS };

type Clock = { sql: SqlStorage; now: number; random(): number };

type Refused = { n: number; origin: string | null; message: string; notBefore: number };

/** True if a provider may give this refusal to all mails. */
export const mayBeAboutAll = (handover: Extract<Handover, { outcome: "refused" }>): boolean =>
  handover.local !== true && ["content", "policy", "sender"].includes(handover.about);

type Row = { n: number; refusals: string | null; taken: number; open: number; times: number };

/**
 * Retries a refused campaign mail unless the refusal concerns only this mail. Too many refusals hold the campaign.
 *
 * @returns the next due time in Unix ms; undefined for a final refusal
 */
export const doubted = (
  { sql, now, random }: Clock,
  { n, origin, message, notBefore }: Refused,
): number | undefined => {
  if (!origin?.startsWith("cmp_")) return undefined;
  const [campaign] = sql
    .exec<Row>(
      `SELECT c.n, c.refusals, coalesce(k.sends - k.refused, 0) AS taken, c.queued + coalesce(k.accepted - k.settled, 0) AS open,
         (SELECT count(*) FROM send_events WHERE send = ?1 AND kind = 'refused'
            AND at >= coalesce((SELECT max(at) FROM send_events WHERE send = ?1 AND kind = 'retried'), 0)) AS times
       FROM campaigns c LEFT JOIN message_counts k ON k.message = c.message WHERE c.id = ?2 AND c.status = 'Sending'`,
      n,
      origin,
    )
    .toArray();
  if (!campaign) return undefined;
  const { taken, open, times } = campaign;
  const refusals = withRefusal(readRefusals(campaign.refusals), taken, excerptOf(message));
  sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", JSON.stringify(refusals), campaign.n);
  if (isAboutMail(refusals, { taken, open, times })) return undefined;
  const pause = PAUSE_MS.least + Math.floor(random() * (PAUSE_MS.most - PAUSE_MS.least));
  const due = Math.max(notBefore, now + pause);
  sql.exec("UPDATE sends SET state = 'queued', due = ?, may_leave_at = ?, error = ? WHERE n = ?", due, now, message, n);
  return due;
};
