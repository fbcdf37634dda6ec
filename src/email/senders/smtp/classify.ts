import { classify, isOfMailbox } from "../../bounces/classify.ts";
import type { About, Handover } from "../../types/mail.ts";
import type { Reply } from "./reply.ts";

/** The step of the protocol that a reply belongs to. `end`: the reply to the final dot. */
export type Step = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end";

const SETUP: readonly Step[] = ["greeting", "EHLO", "STARTTLS", "AUTH"];

/** The relay wants another login, or TLS: RFC 4954 section 6, RFC 3207 section 4. */
const LOGIN_CODES: readonly number[] = [432, 523, 530, 534, 535, 538];

const RATE = /\brate\b|throttl|too (many|fast|much|frequent)|slow down|try again later|limit|grey-?list|quota/i;

/** What a refusing reply (4xx or 5xx) means for the mail. */
export const refusalOf = (step: Step, reply: Reply): Exclude<Handover, { outcome: "accepted" | "unknown" }> => {
  const { code } = reply;
  const message = sentence(step, reply);
  const codes = codesOf(reply);
  if (isConfiguration(step, code)) return { outcome: "deferred", configuration: true, message, ...codes };
  // 503: the relay and this client disagree on the state of the connection. The mail is fine.
  if (code < 500 || code === 503 || SETUP.includes(step)) {
    const wait = waitOf(reply.text);
    const retryAfter = wait === undefined ? {} : { retryAfter: wait };
    const throttled = isThrottled(reply) ? { throttled: true as const } : {};
    const about = step === "RCPT" || step === "end" ? mailboxOf(reply) : {};
    return { outcome: "deferred", ...throttled, ...retryAfter, ...about, message, ...codes };
  }
  return { outcome: "refused", about: aboutOf(step, reply), message, ...codes };
};

/** The codes of a reply as a handover shows them. */
export const codesOf = ({ code, enhanced }: Reply) => ({ replyCode: code, ...(enhanced ? { code: enhanced } : {}) });

const isConfiguration = (step: Step, code: number): boolean => {
  if (LOGIN_CODES.includes(code)) return true;
  // A 4xx of these is temporary, but for a relay that offers STARTTLS and cannot do it (454).
  return (step === "STARTTLS" && code !== 421) || (SETUP.includes(step) && code >= 500);
};

/** 421, 452 and 4.7.x are how relays say that it is too much at once; 452 4.2.2 is a full mailbox. */
const isThrottled = ({ code, enhanced, text }: Reply): boolean =>
  code === 421 ||
  (code === 452 && !enhanced?.startsWith("4.2.")) ||
  (code < 500 && (enhanced?.startsWith("4.7.") || RATE.test(text)));

const mailboxOf = (reply: Reply) => (isOfMailbox(codesOf(reply), reply.text) ? { about: "mailbox" as const } : {});

/** A refusal of the recipient or of the message means what it means in a bounce. */
const aboutOf = (step: Step, reply: Reply): About => {
  const { code, enhanced = "", text } = reply;
  const [, subject, detail] = enhanced.split(".");
  if (subject === "1" && (detail === "7" || detail === "8")) return "sender";
  if (step === "MAIL") return isContent(reply) ? "content" : "sender";
  const kind = classify(codesOf(reply), text);
  if (kind === "hard") return "recipient";
  if (kind !== "soft") return kind;
  if (isOfMailbox(codesOf(reply), text)) return "mailbox";
  // RFC 5321: the argument of RCPT, the address, is malformed.
  if (step === "RCPT") return code === 501 ? "recipient" : "policy";
  return code === 552 || code === 554 ? "content" : "policy";
};

const isContent = ({ code, enhanced = "" }: Reply): boolean =>
  code === 552 || ["5.2.3", "5.3.4"].includes(enhanced) || enhanced.startsWith("5.6.");

const sentence = (step: Step, { code, enhanced, text }: Reply): string => {
  const what =
    step === "greeting" ? "The relay greeted with" : `The relay answered ${step === "end" ? "the message" : step} with`;
  return `${what} ${[code, enhanced, text].filter((part) => part !== undefined && part !== "").join(" ")}`;
};

const MAX_WAIT_MS = 86_400_000;
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The wait that a reply asks for ("try again in 5 minutes", "retry after 300 seconds"), in ms. */
const waitOf = (text: string): number | undefined => {
  const [, number, unit = ""] = /\b(?:in|after|for|wait)\s+(\d{1,6})\s*(s|m|h)(?:ec|in|our|\b)/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  return Math.min(MAX_WAIT_MS, Number(number) * (UNITS[unit.toLowerCase()] ?? 0));
};

type Deferred = Extract<Handover, { outcome: "deferred" }>;

/** The connection failed before the relay could accept the mail. */
export const notConnected = (error: unknown): Deferred => ({
  outcome: "deferred",
  down: true,
  message: `The mail was not sent: ${messageOf(error)}`,
});

/** The relay does not do what the configuration says: an operator has to act. */
export const misconfigured = (message: string): Deferred => ({ outcome: "deferred", configuration: true, message });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
