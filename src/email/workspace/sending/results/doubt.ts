import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import { isAboutMail, readRefusals, withRefusal } from "../../../policy/campaigns/refusals.ts";
import type { Handover } from "../../../types/mail.ts";
import { excerptOf } from "../../limits/words.ts";

/** Shortest and longest pause before a mail in doubt is tried again, in ms. Random, so that other mails come between them. */
const PAUSE_MS = { least: MINUTE_MS, most: 2 * MINUTE_MS };

type Clock = { sql: SqlStorage; now: number; random(): number };

/** A refused mail. `origin`: id of its workflow or campaign. `message`: the relay's words. `notBefore`: Unix ms. */
type Refused = { n: number; origin: string | null; message: string; notBefore: number };

/** True for a refusal that a relay may give to all mails alike. What this service itself refuses, it refuses each time. */
export const mayBeAboutAll = (handover: Extract<Handover, { outcome: "refused" }>): boolean =>
  handover.local !== true && ["content", "policy", "sender"].includes(handover.about);

/** `open`: mails and recipients of the campaign without a result, this mail included. */
type Row = { n: number; refusals: string | null; taken: number; open: number; times: number };

/**
 * A mail of a campaign that was refused waits again, unless the refusal is about this mail alone: a relay that refuses everybody must not
 * fail a whole campaign. The campaign counts these refusals, also those with which a mail fails, and is held after too many. The 24 hours
 * of the mail start anew. A person who has it sent again has its refusals count anew.
 *
 * @returns when the mail is due again, in Unix ms; undefined when the refusal is final, as it is for mail of other origins
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
