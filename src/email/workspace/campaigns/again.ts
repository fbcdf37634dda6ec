import type { Released } from "../../campaigns/rates.ts";
import { countedAnew } from "../../campaigns/refusals.ts";
import type { Context } from "../base/context.ts";
import { contactsByNumber } from "../contacts/row.ts";
import { reasonsNotToMarket } from "../sending/gate.ts";
import { findCampaign, handedOf, type StoredCampaign, withResult } from "./rows.ts";

/** Mails whose outcome is unknown. `retried`: those that a retry sends again. `leftOut`: the others, by reason. */
export type UnknownMails = { retried: number; leftOut: Record<string, number> };

/** Contacts that one query asks about. */
const ASKED = 500;

/** SQL of the time since which the outcome of a mail in the row `s` of `sends` is unknown, in Unix ms. */
export const UNKNOWN_SINCE =
  "coalesce((SELECT max(at) FROM send_events WHERE send = s.n AND kind = 'unknown'), s.settled_at, 0)";

/** What a retry would do now with the mails of a campaign whose outcome is unknown. */
export const unknownMails = (sql: SqlStorage, campaign: StoredCampaign): UnknownMails => {
  const { n, list, counts, pass, passAt, passCursor } = campaign;
  const recipients = sql
    .exec<{ contact: number; isKept: number; since: number }>(
      `SELECT r.contact, s.n IS NOT NULL AS isKept, ${UNKNOWN_SINCE} AS since FROM recipients r INDEXED BY recipients_reasons
         LEFT JOIN sends s ON s.n = r.send AND s.state = 'unknown'
       WHERE r.campaign = ? AND r.state = 'unknown' AND r.reason IS NOT NULL`,
      n,
    )
    .toArray();
  const leftOut: Record<string, number> = {};
  const leaveOut = (reason: string, mails = 1): void => {
    leftOut[reason] = (leftOut[reason] ?? 0) + mails;
  };
  /** A retry that has not come to this mail yet sends it again without another one. */
  const isAsked = (contact: number, since: number): boolean =>
    pass === "retry" && contact > passCursor && since <= (passAt ?? 0);
  let retried = 0;
  for (let at = 0; at < recipients.length; at += ASKED) {
    const some = recipients.slice(at, at + ASKED);
    const contacts = contactsByNumber(
      sql,
      some.map(({ contact }) => contact),
    );
    const reasons = reasonsNotToMarket(sql, contacts, list);
    for (const { contact, isKept, since } of some) {
      const reason = isKept === 1 ? reasons.get(contact) : "mail_deleted";
      if (reason !== undefined) leaveOut(reason);
      else if (!isAsked(contact, since)) retried += 1;
    }
  }
  // The counts outlive a contact, and its recipient does not.
  const gone = counts.unknown - recipients.length;
  if (gone > 0) leaveOut("contact_deleted", gone);
  return { retried, leftOut };
};

type Clock = Pick<Context, "sql" | "now">;

/** A person has looked at a campaign: the refusals of its mails count anew. `again`: it sends mails again after it was done. */
const countRefusalsAnew = (sql: SqlStorage, { n, refusals, counts }: StoredCampaign, again: boolean): void => {
  const anew = JSON.stringify(countedAnew(refusals, counts.sent, again));
  sql.exec("UPDATE campaigns SET refusals = ? WHERE n = ?", anew, n);
};

/** A person resumes a campaign. Where it was held because the relay refused so many of the mails sent again, none of them fails alone now. */
export const resumeRefused = (sql: SqlStorage, campaign: StoredCampaign): void => {
  const { refusals, reason, counts } = campaign;
  // Nothing is known of the relay, as after the resume.
  if (refusals === null && counts.sent === 0) return;
  countRefusalsAnew(sql, campaign, refusals?.again === true && reason !== "relay_refuses");
};

/**
 * Has a campaign that was done go on, because mails of it are sent again: it is sending until they have a result. Its rates and
 * refusals count anew, because a person has looked at it, and the few mails that are sent again do not hold it. Another campaign stays as
 * it is.
 */
export const goOnAgain = ({ sql, now }: Clock, campaign: StoredCampaign): void => {
  const { n, state, results, counts } = campaign;
  if (state !== "done") return;
  countRefusalsAnew(sql, campaign, true);
  const handed = handedOf(results);
  const released: Released = { bounce_rate: handed, complaint_rate: handed };
  sql.exec(
    `UPDATE campaigns SET status = 'Sending', state = 'sending', finished_at = NULL, released = ?, moving_since = ?, moved = ?, updated_at = ?
     WHERE n = ?`,
    ...[JSON.stringify(released), now, withResult(counts), now, n],
  );
};

/** Keeps the rate of a campaign while some of its mails that have a result wait again, which lowers their count. */
export const waitAgain = (sql: SqlStorage, { n }: Pick<StoredCampaign, "n">, mails: number): void => {
  sql.exec("UPDATE campaigns SET moved = moved - ? WHERE n = ?", mails, n);
};

/** Does what the campaign of a mail needs that a person has sent again. Call it before the mail waits. `id`: of the campaign. */
export const mailAgain = (context: Clock, id: string): void => {
  const found = findCampaign(context, id);
  if ("refusal" in found) return;
  goOnAgain(context, found.campaign);
  waitAgain(context.sql, found.campaign, 1);
};
