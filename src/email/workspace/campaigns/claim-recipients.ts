import type { ClaimedSend } from "../../types/mailer-rpc.ts";
import { contactsByNumber, type StoredContact } from "../contacts/contact-rows.ts";
import type { Context } from "../core/context.ts";
import { addWaiting, type CampaignMail, messageIdOf } from "../core/mailer-claims.ts";
import { nextNumber } from "../core/numbers.ts";
import { createMarketingGate, reasonsNotToMarket } from "../sending/gate.ts";
import { addMails } from "../sending/marketing/counts.ts";
import { reasonNotToSend } from "../sending/suppression.ts";
import { MAX_REPLY } from "../sending/waiting-mails.ts";
import type { ClaimedRecipients, WantedRecipients } from "../sending/wanted-recipients.ts";
import type { StoredCampaign } from "./campaign-rows.ts";
import { nextRecipients } from "./next-recipients.ts";

/** Slices of recipients in one claim, if nearly all are skipped. */
const SLICES = 5;

type Passed = { mail: CampaignMail; send: ClaimedSend };

/**
 * Claims the mails of the next recipients for a Mailer. They get no row in `sends` before their result, unless a limit
 * puts them off.
 *
 * @param domain of From and Message-ID
 * @param wanted `above`: the largest number (n) that is claimed, and has no row or stored claim yet
 */
export const claimRecipients = (
  context: Context,
  campaign: StoredCampaign,
  domain: string,
  wanted: WantedRecipients & { above: number },
): ClaimedRecipients => {
  const { sql, now } = context;
  const check = createCheck(context, campaign, domain, wanted);
  const claimed: { sends: ClaimedSend[]; mails: CampaignMail[]; wakeAt: number } = {
    sends: [],
    mails: [],
    wakeAt: Number.POSITIVE_INFINITY,
  };
  const counts = { read: 0, accepted: 0 };
  let cursor = campaign.claimedCursor;
  let isOver = false;
  for (let slice = 0; slice < SLICES && !isOver && counts.accepted < wanted.limit; slice += 1) {
    const limit = wanted.limit - counts.accepted;
    const next = nextRecipients(sql, campaign.n, { after: cursor, state: "queued", limit });
    isOver = next.cursor === undefined;
    cursor = next.cursor ?? Math.max(campaign.maxContact ?? 0, cursor);
    const passed = check(next.found.map(({ contact }) => contact));
    counts.read += next.found.length;
    counts.accepted += passed.length;
    const { putOff } = wanted.sieve?.(passed.map(({ mail }) => candidateOf(mail))) ?? { putOff: [] };
    const later = new Map(putOff.map((one) => [one.n, one]));
    for (const { mail, send } of passed) {
      const wait = later.get(mail.n);
      if (!wait) {
        claimed.mails.push(mail);
        claimed.sends.push(send);
        continue;
      }
      addWaiting(sql, mail, {
        due: wait.due,
        error: wait.reason.slice(0, MAX_REPLY),
        mayLeaveAt: wait.isNotLate ? wait.due : null,
      });
      claimed.wakeAt = Math.min(claimed.wakeAt, wait.due);
    }
  }
  if (cursor > campaign.claimedCursor) keepProgress(sql, campaign, counts, cursor);
  // Everybody was skipped: other recipients follow, or the campaign ends.
  if (claimed.sends.length === 0 && counts.read > 0 && claimed.wakeAt === Number.POSITIVE_INFINITY)
    claimed.wakeAt = now;
  return claimed;
};

const keepProgress = (
  sql: SqlStorage,
  { n, message }: StoredCampaign,
  { read, accepted }: { read: number; accepted: number },
  cursor: number,
): void => {
  if (accepted > 0) addMails(sql, message, { accepted, notSent: 0 });
  sql.exec(
    "UPDATE campaigns SET queued = queued - ?, skipped = skipped + ?, claimed_cursor = ? WHERE n = ?",
    read,
    read - accepted,
    cursor,
    n,
  );
};

const candidateOf = (mail: CampaignMail) => ({
  n: mail.n,
  recipient: mail.recipient,
  messageId: messageIdOf(mail),
  attempts: 0,
  waited: false,
});

/** Skips recipients that get no mail. The others get their mail, with numbers and ids in order. */
const createCheck = (
  context: Context,
  campaign: StoredCampaign,
  domain: string,
  { copiesOf, above }: WantedRecipients & { above: number },
) => {
  const { sql, now } = context;
  const { n: number, id: origin, list, message } = campaign;
  const { revision } = sql.exec<{ revision: number }>("SELECT revision FROM email_messages WHERE n = ?", message).one();
  const gate = createMarketingGate(sql);
  const content = gate.contentOf(revision);
  let n = Math.max(nextNumber(sql, "sends", now), above + 1);
  const mailTo = (contact: StoredContact & { email: string }, isUntracked: boolean): Passed | { reason: string } => {
    if (!content) return { reason: "message_deleted" };
    const passed = gate.pass(
      { contact, list, origin, run: 0, message, isUntracked },
      { content, variables: "{}", domain },
    );
    if (passed.reason !== undefined || passed.values === undefined || passed.marketing === undefined)
      return { reason: passed.reason ?? "message_deleted" };
    const { values, marketing } = passed;
    const id = context.id(`snd_${n.toString(36)}`);
    const { email: recipient } = contact;
    const mail = { n, id, revision, message, recipient, domain, contact: contact.n, list, origin, at: now };
    n += 1;
    const send = {
      n: mail.n,
      attempt: 1,
      id,
      revision,
      recipient,
      messageId: messageIdOf(mail),
      values,
      date: now,
      withheld: copiesOf(revision, values).filter((address) => reasonNotToSend(sql, address) !== undefined),
      preview: false,
      attachments: 0,
      marketing,
    };
    return { mail, send };
  };
  return (numbers: readonly number[]): Passed[] => {
    const contacts = new Map(contactsByNumber(sql, numbers).map((contact) => [contact.n, contact]));
    const reasons = reasonsNotToMarket(sql, [...contacts.values()], list);
    const { merged, untracked } = mergedAndUntracked(sql, numbers, message);
    return numbers.flatMap((one) => {
      const contact = contacts.get(one);
      const reason = contact ? reasons.get(one) : "contact_deleted";
      if (!contact || contact.email === null || reason !== undefined || merged.has(one)) {
        skip(context, number, one, reason ?? "merged");
        return [];
      }
      const made = mailTo({ ...contact, email: contact.email }, untracked.has(one));
      if ("mail" in made) return [made];
      skip(context, number, one, made.reason);
      return [];
    });
  };
};

/** `merged`: contacts that became one with a contact that has the mail. */
const mergedAndUntracked = (
  sql: SqlStorage,
  contacts: readonly number[],
  message: number,
): { merged: Set<number>; untracked: Set<number> } => {
  const listed = JSON.stringify(contacts);
  const among = (query: string, ...values: (string | number)[]): Set<number> =>
    new Set(
      sql
        .exec<{ n: number }>(query, ...values)
        .toArray()
        .map(({ n }) => n),
    );
  return {
    merged: among(
      "SELECT contact AS n FROM engagement WHERE contact IN (SELECT value FROM json_each(?)) AND message = ? AND run = 0",
      listed,
      message,
    ),
    untracked: among("SELECT n FROM contacts WHERE n IN (SELECT value FROM json_each(?)) AND untracked = 1", listed),
  };
};

const skip = ({ sql, now }: Context, campaign: number, contact: number, reason: string): void => {
  sql.exec(
    "UPDATE recipients SET state = 'skipped', reason = ?, settled_at = ? WHERE campaign = ? AND contact = ? AND state = 'queued'",
    reason,
    now,
    campaign,
    contact,
  );
};
