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

/** Searches the bytes of a mail for signs of ours, without a parser. At most ten of each kind. */
export const tracesIn = (mail: Uint8Array): Traces => {
  // Quoted-printable breaks long lines.
  const text = asLatin1(mail).replace(/=\r?\n/g, "");
  return {
    tokens: first(text, TOKEN, ([, token = ""]) => token.toLowerCase()),
    links: first(text, LINK, ([, token = ""]) => token),
    messageIds: first(text, MESSAGE_ID, ([, id = "", domain = ""]) => ({ id, domain: domain.toLowerCase() })),
  };
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

const REPORT = /feedback-report|x-hmxmroriginalrecipient|delivery-status/i;

/** True if a mail looks like a report. A mailbox provider ends a feedback loop that rejects reports. */
export const looksLikeReport = (mail: Uint8Array): boolean => REPORT.test(asLatin1(mail));
