import type { About, Handover } from "../../types/mail.ts";
import type { Reply } from "./reply.ts";

/** The step of the protocol that a reply belongs to. `end`: the reply to the final dot. */
export type Step = "greeting" | "EHLO" | "STARTTLS" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "end";

const SETUP: readonly Step[] = ["greeting", "EHLO", "STARTTLS", "AUTH"];

/** The relay wants another login, or TLS: RFC 4954 section 6, RFC 3207 section 4. */
const LOGIN_CODES: readonly number[] = [432, 523, 530, 534, 535, 538];

const UNKNOWN_USER =
  /(unknown|invalid|no such|not? (a )?valid|non-?existent|does(n.t| not) exist|not exist|not found|not known|no mailbox|disabled|undeliverable).{0,40}(user|mailbox|recipient|address|account|domain|here)|(user|mailbox|recipient|address|account|domain).{0,80}(unknown|invalid|not? (a )?valid|does(n.t| not) exist|not exist|not found|not known|disabled|undeliverable|rejected: undeliverable)/i;
const POLICY =
  /spam|block|black|denied|policy|reputation|listed|relay|prohibited|authenticat|dmarc|dkim|spf|virus|quota|full/i;
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
    return { outcome: "deferred", ...throttled, ...retryAfter, message, ...codes };
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

/** Classes of RFC 3463 first, then the code and the words of the reply. Never `recipient` on a guess. */
const aboutOf = (step: Step, { code, enhanced = "", text }: Reply): About => {
  const [, subject, detail] = enhanced.split(".");
  if (subject === "1" && (step === "MAIL" || detail === "7" || detail === "8")) return "sender";
  // 5.1.0 says nothing about what is wrong with which address.
  if (subject === "1" && detail !== "0") return "recipient";
  if (enhanced === "5.2.1") return "recipient";
  if (subject === "2") return detail === "3" ? "content" : "policy";
  if (enhanced === "5.3.4" || subject === "6") return "content";
  if (subject === "7") return step === "MAIL" ? "sender" : "policy";
  if (step === "MAIL") return code === 552 ? "content" : "sender";
  if (step === "RCPT") return isUnknownUser(code, text) ? "recipient" : "policy";
  if (step === "end" && code === 550 && isUnknownUser(code, text)) return "recipient";
  return code === 552 || (code === 554 && !POLICY.test(text)) ? "content" : "policy";
};

/** 501 and 553 say that the address is malformed, 551 that the user is elsewhere, 556 that the domain takes no mail (RFC 7504). */
const isUnknownUser = (code: number, text: string): boolean =>
  (code === 550 && UNKNOWN_USER.test(text) && !/\bspam\b|blocked|blacklist/i.test(text)) ||
  ([501, 551, 553].includes(code) && !POLICY.test(text)) ||
  code === 556;

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
