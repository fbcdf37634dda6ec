import { FED } from "../../policy/campaigns/slice.ts";
import { contactsByNumber } from "../contacts/contact-rows.ts";
import type { Context } from "../core/context.ts";
import { reasonsNotToMarket } from "../sending/gate.ts";
import { acceptMarketing, marketingContent } from "../sending/marketing/accept.ts";
import { addMails } from "../sending/marketing/counts.ts";
import type { StoredCampaign } from "./campaign-rows.ts";
import { nextRecipients } from "./next-recipients.ts";

/** In ms. Covers only mail that the Mailers leave. */
const ALARM_MS = 1_000;

/**
 * Queues mail for the next recipients, after workflow mail and earlier campaigns.
 *
 * @param domain of From and Message-ID
 */
export const feedLedger = (context: Context, campaign: StoredCampaign, domain: string): void => {
  const { sql, now } = context;
  const { n, id, list, message, claimedCursor, maxContact } = campaign;
  const { found, cursor = Math.max(maxContact ?? 0, claimedCursor) } = nextRecipients(sql, n, {
    after: claimedCursor,
    state: "queued",
    limit: FED,
  });
  const numbers = found.map(({ contact }) => contact);
  const contacts = new Map(contactsByNumber(sql, numbers).map((contact) => [contact.n, contact]));
  const reasons = reasonsNotToMarket(sql, [...contacts.values()], list);
  const content = marketingContent(sql, revisionOf(sql, message));
  const mail = { content, domain, origin: id, ...(list === null ? {} : { list }), wakeAt: now + ALARM_MS };
  const accept = (number: number): string | undefined => {
    const contact = contacts.get(number);
    if (!contact) return "contact_deleted";
    const reason = reasons.get(number);
    if (reason !== undefined) return reason;
    // The contact was merged with one that has the mail.
    const { state } = acceptMarketing(context, { ...mail, contact, isAllowed: true });
    return state === "accepted_before" ? "merged" : undefined;
  };
  let accepted = 0;
  for (const number of numbers) {
    const reason = accept(number);
    if (reason === undefined) accepted += 1;
    else skip(context, n, number, reason);
  }
  if (accepted > 0) addMails(sql, message, { accepted, notSent: 0 });
  sql.exec(
    "UPDATE campaigns SET queued = queued - ?, skipped = skipped + ?, claimed_cursor = ? WHERE n = ?",
    found.length,
    found.length - accepted,
    cursor,
    n,
  );
};

const revisionOf = (sql: SqlStorage, message: number): number =>
  sql.exec<{ revision: number }>("SELECT revision FROM email_messages WHERE n = ?", message).one().revision;

const skip = ({ sql, now }: Context, campaign: number, contact: number, reason: string): void => {
  sql.exec(
    "UPDATE recipients SET state = 'skipped', reason = ?, settled_at = ? WHERE campaign = ? AND contact = ? AND state = 'queued'",
    reason,
    now,
    campaign,
    contact,
  );
};
