import { MAX_ADDRESS } from "../../../lib/contract/address/form.ts";
import { email } from "../../../lib/contract/email.ts";
import { fill, type Values } from "../../../lib/lmx/fill.ts";
import { noLinks, plainBody } from "../../../lib/mail-body/body.ts";
import { remember } from "../../../lib/util/remember.ts";
import { unsendable } from "../../mail/mime/check.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { Attachment, Mail } from "../../types/mail-handover.ts";
import type { ClaimedSend } from "../../types/mailer-rpc.ts";
import type { MarketingParts } from "./marketing.ts";

/** Fills a template; retries differ only in date. Throws if the mail can never be sent. */
export const composeMail = (
  team: string,
  send: ClaimedSend,
  template: CompiledMessage,
  attachments: readonly Attachment[],
  publicUrl: string | undefined,
  marketing?: MarketingParts,
): Mail => {
  const values = { ...noLinks, ...(JSON.parse(send.values) as Values), ...marketing?.values };
  const from = senderOf(template, values, domainOf(send.messageId));
  if (!isAddress(from)) throw new Error(notAnAddress(from));
  const wrong = wrongCopy(template, values);
  if (wrong !== undefined) throw new Error(wrong.message);
  const mailboxes = (field: "cc" | "bcc" | "replyTo") => {
    const address = fill(template[field], values);
    return isAddress(address) ? [{ address }] : [];
  };
  // A preview is only for its requester.
  const copies = (field: "cc" | "bcc") =>
    send.preview ? [] : mailboxes(field).filter(({ address }) => !send.withheld.includes(address));
  const body = { html: fill(template.html, values, publicUrl), text: fill(template.text, values) };
  const mail: Mail = {
    ...(marketing?.mail ?? ({ class: "transactional" } as const)),
    id: send.id,
    team,
    messageId: send.messageId,
    date: send.date,
    from: { name: fill(template.fromName, values), address: from },
    to: [{ address: send.recipient }],
    cc: copies("cc"),
    bcc: copies("bcc"),
    replyTo: mailboxes("replyTo"),
    subject: fill(template.subject, values),
    ...(marketing ? body : plainBody(body, send.footer)),
    attachments,
  };
  const fault = unsendable(mail);
  if (fault) throw new Error(fault.message);
  return mail;
};

/** Builds the From address, invalid if variables are. */
export const senderOf = ({ fromEmail }: CompiledMessage, values: Values, domain: string): string =>
  `${fill(fromEmail, values)}@${domain}`;

/** A campaign has one From address, so its check is remembered. */
const isKnown = remember((address: string): boolean => email.safeParse(address).data === address);

/** A longer text is no address, and takes no memory. */
export const isAddress = (address: string): boolean => address.length <= MAX_ADDRESS && isKnown(address);

export const notAnAddress = (from: string): string =>
  `The From address of this mail would be "${from}", which is no email address. Check fromEmail and its variables.`;

const COPIES = [
  ["cc", "ccEmail"],
  ["bcc", "bccEmail"],
] as const;

/** Returns an invalid copy address; empty means no copy. */
export const wrongCopy = (template: CompiledMessage, values: Values) => {
  for (const [part, field] of COPIES) {
    const address = fill(template[part] ?? [], values);
    if (address !== "" && !isAddress(address)) {
      const message = `A copy of this mail would go to "${address}", which is no email address. Check ${field} and its variables.`;
      return { part, field, message };
    }
  }
  return undefined;
};

export const domainOf = (messageId: string): string => messageId.slice(messageId.lastIndexOf("@") + 1, -1);
