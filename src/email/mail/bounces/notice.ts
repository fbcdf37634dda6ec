import type { Feedback } from "../../types/feedback.ts";
import { classify, codesIn } from "./classify.ts";

/** A possible server notice. `failed` is the header X-Failed-Recipients. */
export type Notice = { from: string; subject: string; text: string; failed: string | undefined };

const MAX_TEXT = 20_000;
const MAX_RECIPIENTS = 50;
const MAX_MESSAGE = 500;

const SERVER = /^(mailer-daemon|mail-daemon|mailerdaemon|postmaster|mdaemon|mail ?delivery|mail-?system)(\b|$)/i;
/** True for a mail server's address or name. */
export const isServer = (from: string): boolean => SERVER.test(from);
const QMAIL =
  /this is the qmail-send program|mail[- ]?delivery (sub)?system|message (that )?you sent could not be delivered/i;

/** The returned copy must not affect classification. */
const COPY =
  /^[ \t>]*-{2,}.*(copy of the message|below this line|original (message|mail)|returned message|message header|ursprüngliche nachricht|message d'origine|mensaje original).*$|^-{3,}[ \t]*(original message|forwarded message)/im;

const DELAYED =
  /\bdelay(ed)?\b|not yet been delivered|warning: (message|could not send)|still (trying|being retried)|will (be retried|continue to try)|no action is required|verzögert|noch nicht zugestellt|retard[ée]|demorad|non ancora consegnat|задерж/i;

/** Reads a text notice (qmail, old Exim), one entry per address. Returns undefined if it is none. */
export const readNotice = ({ from, subject, text, failed }: Notice): Feedback[] | undefined => {
  const body = text.slice(0, MAX_TEXT);
  if (failed === undefined && !isServer(from) && !QMAIL.test(body)) return undefined;
  const told = body.slice(0, COPY.exec(body)?.index ?? body.length);
  const isDelayed =
    failed === undefined && DELAYED.test(`${subject}\n${told.slice(0, 1_000)}`) && !/permanent error/i.test(told);
  const listed = failed?.match(/[^\s<>,;]+@[^\s<>,;]+/g) ?? [];
  const named = sectionsOf(told);
  const missing = listed
    .filter((address) => named.every((section) => section.recipient.toLowerCase() !== address.toLowerCase()))
    .map((recipient) => ({ recipient, words: told }));
  const sections = [...named, ...missing].slice(0, MAX_RECIPIENTS);
  if (sections.length > 0) return sections.map(({ recipient, words }) => feedbackOf(words, isDelayed, recipient));
  const codes = codesIn(told);
  if (
    !isDelayed &&
    codes.code === undefined &&
    codes.replyCode === undefined &&
    classify({}, told) === "soft" &&
    !FAILED.test(told)
  )
    return undefined;
  return [feedbackOf(told, isDelayed)];
};

const FAILED =
  /undeliver|could not be delivered|delivery (has )?failed|unzustellbar|nicht zugestellt|non remis|no se pudo entregar/i;

const feedbackOf = (words: string, isDelayed: boolean, recipient?: string): Feedback => {
  const codes = codesIn(words);
  return {
    kind: isDelayed ? "delayed" : classify(codes, words),
    ...(recipient === undefined ? {} : { recipient }),
    ...codes,
    message: words.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE),
  };
};

const ADDRESS_LINE = /^[ \t]*<?([^\s<>@:]{1,64}@[^\s<>@:]{1,255})>?(?:[ \t]*:)?[ \t]*(?:\([^)]{0,200}\))?[ \t]*(.*)$/;

const sectionsOf = (told: string): { recipient: string; words: string }[] => {
  const sections: { recipient: string; words: string }[] = [];
  for (const line of told.split(/\r?\n/)) {
    const [, recipient, rest = ""] = ADDRESS_LINE.exec(line) ?? [];
    const last = sections.at(-1);
    if (recipient !== undefined) sections.push({ recipient, words: rest });
    else if (last) last.words += `\n${line}`;
  }
  return sections;
};
