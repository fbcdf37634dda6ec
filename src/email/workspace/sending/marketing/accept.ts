import type { StoredContact } from "../../contacts/row.ts";
import type { Context } from "../../core/context.ts";
import { reasonNotToMarket } from "../gate.ts";
import { acceptSend } from "../sends.ts";
import { eventValues } from "../values.ts";

/** The content of a marketing mail: a revision, and n of its message. Read it once for many contacts. */
export type MarketingContent = { revision: number; message: number };

/** The content of an existing revision. */
export const marketingContent = (sql: SqlStorage, revision: number): MarketingContent => ({
  revision,
  message: sql.exec<{ message: number }>("SELECT message FROM message_revisions WHERE n = ?", revision).one().message,
});

/**
 * A marketing mail to accept. `contact`: as it is now. `domain`: of From and Message-ID. `list`: id of the mailing list that it goes
 * to. `origin`: id of the campaign or workflow. `run`: number of the contact's passage through a workflow; without one, a contact gets
 * the message once. `event`: properties of the event that started the passage. `due`: Unix ms, its place in the queue; else it is now.
 * `isAllowed`: the caller has just checked that the contact may get it. `wakeAt`: Unix ms, when the alarm looks at it; else it is `due`.
 */
export type NewMarketingSend = {
  content: MarketingContent;
  contact: StoredContact;
  domain: string;
  list?: string;
  origin?: string;
  run?: number;
  event?: Readonly<Record<string, unknown>>;
  due?: number;
  isAllowed?: true;
  wakeAt?: number;
};

type Accepted = { id: string; state: "queued" | "not_sent" } | { state: "accepted_before" };

/**
 * Accepts a marketing mail to one contact. A contact that may not get it has a row too, settled as not sent, with the reason. It is
 * checked again before each attempt. Its values and its content are read only then; of the event it keeps the properties.
 */
export const acceptMarketing = (context: Context, mail: NewMarketingSend): Accepted => {
  const { sql } = context;
  const { content, contact, domain, list, origin, run = 0, event = {}, due, wakeAt } = mail;
  const key = [contact.n, content.message, run];
  if (sql.exec("SELECT 1 FROM engagement WHERE contact = ? AND message = ? AND run = ?", ...key).toArray().length > 0)
    return { state: "accepted_before" };
  const notSent = mail.isAllowed ? undefined : reasonNotToMarket(sql, contact, list ?? null);
  const { n, id, state } = acceptSend(context, {
    revision: content.revision,
    recipient: contact.email ?? "",
    domain,
    notSent,
    values: eventValues(event),
    marketing: { contact: contact.n, list, origin, run, due, wakeAt },
  });
  sql.exec("INSERT INTO engagement (contact, message, run, send) VALUES (?, ?, ?, ?)", ...key, n);
  return { id, state };
};
