import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { neverLeft } from "../../../../lib/util/never-left.ts";
import { classify, codesIn, isOfMailbox } from "../../../mail/bounces/classify.ts";
import type { About, Handover } from "../../../types/mail-handover.ts";
import { meaningOf, type Step } from "./reply-patterns.ts";
import type { Reply } from "./reply-reader.ts";

const SETUP: readonly Step[] = ["greeting", "EHLO", "STARTTLS", "AUTH"];

const MAIL_STEPS: readonly Step[] = ["MAIL", "RCPT", "DATA", "end"];

/** The mail provider requires another login, or TLS: RFC 4954 section 6, RFC 3207 section 4. */
const LOGIN_CODES: readonly number[] = [523, 530, 534, 535, 538];

export const refusalOf = (step: Step, reply: Reply): Exclude<Handover, { outcome: "accepted" | "unknown" }> => {
  const { code } = reply;
  const message = sentence(step, reply);
  const codes = codesOf(reply);
  const meaning = meaningOf(step, reply);
  const throttled = meaning === "account" || meaning === "domain" ? { throttled: meaning } : undefined;
  if (!throttled && (meaning === "configuration" || isConfiguration(step, code)))
    return { outcome: "deferred", configuration: true, message, ...codes };
  // 503: client and server disagree on the connection state. The mail is fine.
  if (throttled || code < 500 || code === 503 || SETUP.includes(step)) {
    const wait = waitOf(reply.text);
    const retryAfter = wait === undefined ? {} : { retryAfter: wait };
    const about = !throttled && (step === "RCPT" || step === "end") ? mailboxOf(reply) : {};
    // A greylist counts hasty retries against the sender.
    const patient = !throttled && code < 500 && MAIL_STEPS.includes(step) ? { patient: true as const } : {};
    return { outcome: "deferred", ...throttled, ...retryAfter, ...patient, ...about, message, ...codes };
  }
  const about = meaning === "policy" || meaning === "sender" ? meaning : aboutOf(step, reply);
  return { outcome: "refused", about, message, ...codes };
};

export const codesOf = ({ code, enhanced }: Reply) => ({ replyCode: code, ...(enhanced ? { code: enhanced } : {}) });

const isConfiguration = (step: Step, code: number): boolean => {
  // Exchange also uses 432 for too many connections.
  if (LOGIN_CODES.includes(code) || (step === "AUTH" && code === 432)) return true;
  // A 4xx here is temporary, except 454: STARTTLS is offered but does not work.
  return (step === "STARTTLS" && code !== 421) || (SETUP.includes(step) && code >= 500);
};

const mailboxOf = (reply: Reply) => (isOfMailbox(codesOf(reply), reply.text) ? { about: "mailbox" as const } : {});

const aboutOf = (step: Step, reply: Reply): About => {
  const { code, enhanced = "", text } = reply;
  const [, subject, detail] = enhanced.split(".");
  if (subject === "1" && (detail === "7" || detail === "8")) return "sender";
  if (step === "MAIL") return isContent(reply) ? "content" : "sender";
  // Some servers write the status within the text.
  const kind = classify({ ...codesIn(text), ...codesOf(reply) }, text);
  if (kind === "hard") return "recipient";
  if (kind !== "soft") return kind;
  if (isOfMailbox(codesOf(reply), text)) return "mailbox";
  if (step === "RCPT") return "policy";
  return code === 552 || code === 554 ? "content" : "policy";
};

const isContent = ({ code, enhanced = "" }: Reply): boolean =>
  code === 552 || ["5.2.3", "5.3.4"].includes(enhanced) || enhanced.startsWith("5.6.");

const sentence = (step: Step, { code, enhanced, text }: Reply): string => {
  const what =
    step === "greeting"
      ? "The mail provider greeted with"
      : `The mail provider answered ${step === "end" ? "the message" : step} with`;
  return `${what} ${[code, enhanced, text].filter((part) => part !== undefined && part !== "").join(" ")}`;
};

const MAX_WAIT_MS = DAY_MS;
const UNITS: Record<string, number> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS };

/** Wait in ms, from "try again in 5 minutes" or "retry after 300 seconds". */
const waitOf = (text: string): number | undefined => {
  const [, number, unit = ""] = /\b(?:in|after|for|wait)\s+(\d{1,6})\s*(s|m|h)(?:ec|in|our|\b)/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  return Math.min(MAX_WAIT_MS, Number(number) * (UNITS[unit.toLowerCase()] ?? 0));
};

type Deferred = Extract<Handover, { outcome: "deferred" }>;

/** Deferral after a connection failure before the mail was accepted. A connection that never left is not the server's. */
export const notConnected = (error: unknown): Deferred => ({
  outcome: "deferred",
  ...(neverLeft(error) ? { local: true } : { down: true }),
  message: `The mail was not sent: ${messageOf(error)}`,
});

/** Deferral because of a wrong configuration: an operator has to act. */
export const misconfigured = (message: string): Deferred => ({ outcome: "deferred", configuration: true, message });

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
