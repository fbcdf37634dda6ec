import type { Refusal } from "../../../lib/contract/errors.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { StoredContact } from "../contacts/contact-rows.ts";
import { identify } from "../contacts/upsert.ts";
import { findMessage, messageNotFound } from "../content/messages.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";

type Answer = { body: unknown } | { refusal: Refusal };
type Who = { email?: string | undefined; userId?: string | undefined };

const getTracking = ({ sql }: Context, input: AdminInput<"tracking.get">): Answer => {
  const contact = contactOf(sql, input);
  return contact ? shown(sql, contact) : notFound(input);
};

/** Turns measurement on or off, also for mail already sent. */
const setTracking = ({ sql }: Context, input: AdminInput<"tracking.set">): Answer => {
  const contact = contactOf(sql, input);
  if (!contact) return notFound(input);
  sql.exec("UPDATE contacts SET untracked = ? WHERE n = ?", input.tracked ? 0 : 1, contact.n);
  return shown(sql, contact);
};

const engagementOfMessage = ({ sql }: Context, { emailMessageId }: AdminInput<"tracking.message">): Answer => {
  const message = findMessage(sql, emailMessageId);
  return message ? { body: engagementCounts(sql, message.n) } : messageNotFound(emailMessageId);
};

type Counts = { opened: number; clicked: number; prefetched: number; scanned: number };

/** Returns mails opened and clicked by people, preloaded by a proxy and opened by a scanner. */
export const engagementCounts = (sql: SqlStorage, message: number): Counts =>
  sql
    .exec<Counts>("SELECT opened, clicked, prefetched, scanned FROM message_engagement WHERE message = ?", message)
    .toArray()[0] ?? { opened: 0, clicked: 0, prefetched: 0, scanned: 0 };

const contactOf = (sql: SqlStorage, who: Who): StoredContact | undefined => {
  const { byEmail, byUserId } = identify(sql, who);
  return byEmail ?? byUserId;
};

const shown = (sql: SqlStorage, { n, id, email, userId }: StoredContact): Answer => {
  const { untracked } = sql.exec<{ untracked: number }>("SELECT untracked FROM contacts WHERE n = ?", n).one();
  return { body: { contact: { id, email, userId }, tracked: untracked === 0 } };
};

const notFound = ({ email }: Who): { refusal: Refusal } => {
  const path = email === undefined ? "userId" : "email";
  const message = `There is no contact with this ${path}. Check it, or create the contact first.`;
  return { refusal: { code: "contact_not_found", path, message } };
};

export const tracking: AdminHandlers<"tracking"> = {
  get: getTracking,
  set: setTracking,
  message: engagementOfMessage,
};
