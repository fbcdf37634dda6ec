import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { reasonNotToMarket } from "../gate.ts";
import { acceptSend } from "../sends.ts";
import { eventValues } from "../variables.ts";

export type MarketingContent = { revision: number; message: number };

export const marketingContent = (sql: SqlStorage, revision: number): MarketingContent => ({
  revision,
  message: sql.exec<{ message: number }>("SELECT message FROM message_revisions WHERE n = ?", revision).one().message,
});

/**
 * `domain`: of From and Message-ID. `run`: without it, a contact gets the message once. `due`, `wakeAt`: Unix ms.
 * `isAllowed`: already checked.
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
 * Accepts a marketing mail. A refused contact gets a row with the reason. Values and content are read before each
 * attempt.
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
