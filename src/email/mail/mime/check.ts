import type { Mail, Mailbox } from "../../types/mail-handover.ts";
import { wireAddress } from "./address.ts";

/** `field` is such as "to.0.address". */
export type Unsendable = { field: string; message: string };

/** Line breaks and NUL would start fields or end the message. */
const CONTROL = /\p{Cc}/u;
const MESSAGE_ID = /^<[!-;=?-~]{1,240}>$/;
const LIST_ID = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;
/** RFC 5322 section 2.1.1 limits the line length. */
const UNSUBSCRIBE_URL = /^https?:\/\/[!-;=?-~]{1,900}$/;
/** RFC 2045 section 5.1. */
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(; ?[\w-]{1,40}=[\w.+-]{1,80}){0,5}$/;
/** RFC 2045 section 6.4 forbids base64 for both. */
const COMPOSITE = /^(multipart|message)\//i;

/** A later year has five digits. */
const LAST_DATE = 253_402_300_799_999;

const textFault = (field: string, value: string): Unsendable[] => {
  const [char] = CONTROL.exec(value) ?? [];
  if (char === undefined) return [];
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return [{ field, message: `${field} has the control character U+${code}, which no header may have.` }];
};

const mailboxFaults = (field: string, { name = "", address }: Mailbox): Unsendable[] => [
  ...textFault(`${field}.name`, name),
  ...textFault(`${field}.address`, address),
  ...(wireAddress(address) === undefined
    ? [{ field: `${field}.address`, message: `${field}.address is no address that mail can be sent to.` }]
    : []),
];

const shapeFault = (field: string, value: string, shape: RegExp): Unsendable[] =>
  shape.test(value) ? [] : [{ field, message: `${field} does not have the form of a header value.` }];

const LISTS = ["to", "cc", "bcc", "replyTo"] as const;

/** Returns why a mail can never be composed. */
export const unsendable = (mail: Mail): Unsendable | undefined => {
  const faults = [
    ...mailboxFaults("from", mail.from),
    ...LISTS.flatMap((list) => mail[list].flatMap((mailbox, n) => mailboxFaults(`${list}.${n}`, mailbox))),
    ...(mail.to.length === 0 ? [{ field: "to", message: "to names no recipient." }] : []),
    ...textFault("subject", mail.subject),
    ...shapeFault("messageId", mail.messageId, MESSAGE_ID),
    ...(mail.date >= 0 && mail.date <= LAST_DATE
      ? []
      : [{ field: "date", message: "date is no date that a header can have." }]),
    ...mail.attachments.flatMap(({ filename, contentType }, n) => [
      ...textFault(`attachments.${n}.filename`, filename),
      ...shapeFault(`attachments.${n}.contentType`, COMPOSITE.test(contentType) ? "" : contentType, CONTENT_TYPE),
    ]),
  ];
  if (mail.class === "marketing") {
    faults.push(...shapeFault("listId", mail.listId, LIST_ID));
    faults.push(...shapeFault("unsubscribeUrl", mail.unsubscribeUrl, UNSUBSCRIBE_URL));
  }
  return faults[0];
};
