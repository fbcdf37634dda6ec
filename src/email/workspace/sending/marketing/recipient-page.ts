import type { LinkTarget, MailSource, RecipientAction, RecipientView, SenderView } from "../../../types/recipient.ts";
import { contactOfLink } from "../../contacts/contact-rows.ts";
import { actForRecipient, viewContact } from "../../contacts/recipient.ts";
import { findRevision } from "../../content/messages.ts";
import { completedUpload } from "../../content/uploads.ts";
import type { Context } from "../../core/context.ts";
import { defaultDomain } from "../../domains/domain-rows.ts";
import { isUsable } from "../../domains/state.ts";
import { readTeam } from "../../team/team.ts";
import { footerTextsOf } from "../gate.ts";
import { noteEvents } from "../send-events.ts";
import { reasonOfUnsubscribe, recordReason, recordUnsubscribe } from "./unsubscribes.ts";

/** Who sends, for the pages of recipients. A logo that was deleted is left out. */
const viewSender = (sql: SqlStorage): SenderView => {
  const { name, brandColor, logo, postalAddress, fromEmail, replyToEmail } = readTeam(sql);
  const file = logo === null ? undefined : completedUpload(sql, logo);
  const domain = replyToEmail === null && fromEmail !== null ? defaultDomain(sql) : undefined;
  const from = domain && isUsable(domain) ? `${fromEmail}@${domain.name}` : null;
  const path = file === undefined ? null : `/assets/${file}`;
  return { name, color: brandColor, logo: path, postalAddress, writeTo: replyToEmail ?? from };
};

export const viewRecipient = (sql: SqlStorage, target: LinkTarget): RecipientView => {
  const contact = viewContact(sql, target);
  return {
    sender: viewSender(sql),
    contact: contact && { ...contact, reason: reasonOfUnsubscribe(sql, target) },
  };
};

/** Reads the source of a marketing mail for its recipient. */
export const mailSource = (sql: SqlStorage, revision: number): MailSource => {
  return { sender: viewSender(sql), footer: footerTextsOf(readTeam(sql)), content: findRevision(sql, revision) };
};

/** Answers to a mail that asks for a confirmation, as its history names them. */
const OPT_INS: Partial<Record<RecipientAction["do"], string>> = { confirm: "confirmed", reject: "declined" };

/** Does what a recipient asks for, once. */
export const actAsRecipient = (context: Context, target: LinkTarget, action: RecipientAction): void => {
  if (action.do === "answer") recordReason(context, target, action.reason);
  else {
    const optIn = () => contactOfLink(context.sql, target)?.data.optInStatus;
    const before = optIn();
    const type = actForRecipient(context, target, action);
    const kind = OPT_INS[action.do];
    if (kind && optIn() !== before) noteEvents(context, target.send, { kind, detail: {} });
    if (type) recordUnsubscribe(context, target, type);
  }
};
