import { LINK_PATHS } from "../links/urls.ts";
import { asLatin1 } from "./bounded.ts";

/** Id of a send, and the domain of its Message-ID. */
export type MessageId = { id: string; domain: string };

/** Signs of our mails in a mail. */
export type Traces = { tokens: string[]; links: string[]; messageIds: MessageId[] };

/** Signs of each kind that are looked at. */
export const MOST_TRACES = 10;

const TOKEN = /(?:bounce|leave)\+([a-z0-9_-]{1,64})@/gi;
const MESSAGE_ID = /<(snd_[0-9a-z]{1,11}_[0-9a-z]{1,40})@([a-z0-9.-]{1,253})>/gi;
const LINK = new RegExp(`https?://[^\\s/<>]{1,253}${LINK_PATHS.unsubscribe}/([\\w-]{1,1000})`, "g");

/**
 * Searches the bytes of a mail for signs of ours, without a parser. At most ten of each kind. Returned mails in base64
 * are searched if there are none.
 */
export const tracesIn = (mail: Uint8Array): Traces => {
  const text = asLatin1(mail);
  // Quoted-printable breaks long lines.
  const traces = tracesOf(text.replace(/=\r?\n/g, ""));
  return Object.values(traces).some((all) => all.length > 0) ? traces : tracesOf(inBase64(text));
};

const tracesOf = (text: string): Traces => ({
  tokens: first(text, TOKEN, ([, token = ""]) => token.toLowerCase()),
  links: first(text, LINK, ([, token = ""]) => token),
  messageIds: first(text, MESSAGE_ID, ([, id = "", domain = ""]) => ({ id, domain: domain.toLowerCase() })),
});

const BASE64 = /^content-transfer-encoding:[ \t]{0,9}"?base64/gim;
/** Characters of a part's header that are read, before and after its encoding. */
const MAX_HEADER = 1_000;
const MOST_PARTS = 50;
const RETURNED = /message\/|text\/|\.eml\b|\.msg\b/i;

/** Returns what the parts with a returned mail say. */
const inBase64 = (text: string): string => {
  const found: string[] = [];
  let end = 0;
  let parts = 0;
  for (const { index } of text.matchAll(BASE64)) {
    parts += 1;
    if (parts > MOST_PARTS) break;
    if (index < end) continue;
    const header = text.slice(index, index + MAX_HEADER).search(/\r?\n\r?\n/);
    if (header === -1) continue;
    const before = text.slice(Math.max(end, index - MAX_HEADER), index);
    const own = before.slice(Math.max(0, before.lastIndexOf("\n--"))) + text.slice(index, index + header);
    if (!RETURNED.test(own)) continue;
    const next = text.indexOf("\n--", index + header);
    end = next === -1 ? text.length : next;
    found.push(decoded(text.slice(index + header, end)));
  }
  return found.join("\n");
};

/** Ends at the last whole group: the mail may be cut. */
const decoded = (base64: string): string => {
  const digits = base64.replace(/[^A-Za-z0-9+/]/g, "");
  return atob(digits.slice(0, digits.length - (digits.length % 4)));
};

const first = <T>(text: string, pattern: RegExp, read: (found: RegExpExecArray) => T): T[] => {
  const all: T[] = [];
  for (const found of text.matchAll(pattern)) {
    all.push(read(found));
    if (all.length === MOST_TRACES) break;
  }
  return all;
};

/** A link token in the subject of a mail, which some mail programs fold. */
const SUBJECT = /^subject:\s{1,4}([\w-]{20,1000})\s/im;

/** Returns the token of a link to unsubscribe in the subject of a mail. */
export const linkInSubject = (mail: Uint8Array): string | undefined => SUBJECT.exec(asLatin1(mail))?.[1];

const REPORT = /feedback-report|^subject: complaint about message from\b|x-hmxmroriginalrecipient|delivery-status/im;

/** True if a mail looks like a report. A mailbox provider ends a feedback loop that rejects reports. */
export const looksLikeReport = (mail: Uint8Array): boolean => {
  const text = asLatin1(mail);
  return REPORT.test(text) || REPORT.test(inBase64(text));
};
