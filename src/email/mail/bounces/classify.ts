import type { FeedbackKind } from "../../types/feedback.ts";
import { withoutNames } from "./mask-names.ts";
import { CONTENT, FULL, POLICY, TEMPORARY, UNKNOWN_ADDRESS } from "./phrases.ts";

export type Failure = Extract<FeedbackKind, "hard" | "soft" | "content" | "policy">;

export type Codes = { code?: string; replyCode?: number };

/** Finds the first enhanced status and reply codes, such as `550 5.1.1` or `550-5.1.1`. */
export const codesIn = (said: string): Codes => {
  const text = withoutNames(said);
  const [, code] = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text) ?? [];
  const [, replyCode] = /(?:^|[^\d.])([45][0-5]\d)(?=[ \-:;,)#]|$)/.exec(text) ?? [];
  return { ...(code ? { code } : {}), ...(replyCode ? { replyCode: Number(replyCode) } : {}) };
};

/**
 * Classifies by enhanced status code (RFC 3463), SMTP reply code, then words. Unclear failures are `soft`; only a
 * certainly nonexistent address is `hard`.
 */
export const classify = ({ code, replyCode }: Codes, said: string): Failure => {
  const words = withoutNames(said);
  const byCode = code === undefined ? undefined : ofEnhanced(code, words);
  if (byCode) return byCode;
  if (replyCode !== undefined && replyCode < 500)
    return POLICY.test(words) && !TEMPORARY.test(words) ? "policy" : "soft";
  return ofReply(replyCode, words) ?? ofWords(words);
};

/** True if a soft refusal concerns the recipient's mailbox: status X.2.X, or full. */
export const isOfMailbox = ({ code = "" }: Codes, said: string): boolean =>
  /^[45]\.2\./.test(code) || (!/^[45]\.[3-7]\./.test(code) && FULL.test(withoutNames(said)));

const GREYLISTED = /gr[ea]y-?list/i;

const ofEnhanced = (code: string, words: string): Failure | undefined => {
  const [severity, subject = "", detail = ""] = code.split(".");
  const isFinal = severity === "5";
  switch (subject) {
    case "1":
      if (["7", "8"].includes(detail)) return "policy";
      if (!isFinal) return "soft";
      if (["1", "2", "3", "6", "10"].includes(detail)) return ofAddress(words);
      return undefined;
    case "2":
      if (detail === "2") return "soft";
      if (detail === "3") return "content";
      if (detail === "1") return isFinal ? ofAddress(words) : "soft";
      return isFinal ? undefined : "soft";
    case "3":
      if (detail === "4") return "content";
      return isFinal ? undefined : "soft";
    case "4":
      return isFinal && isNoDomain(detail, words) ? "hard" : "soft";
    case "6":
      return "content";
    case "7":
      return !isFinal && GREYLISTED.test(words) ? "soft" : "policy";
    default:
      return isFinal ? undefined : "soft";
  }
};

/** Postfix reports 5.4.4, Exchange 5.4.310. Exchange uses 5.4.1 for unknown addresses. */
const isNoDomain = (detail: string, words: string): boolean =>
  (["4", "310"].includes(detail) && /not found|does(n.t| not) exist|NXDOMAIN|no such (host|domain)/i.test(words)) ||
  (detail === "1" && /recipient address rejected/i.test(words));

const ofReply = (code: number | undefined, words: string): Failure | undefined => {
  if (code === 552) return FULL.test(words) ? "soft" : isUnknown(words) ? "hard" : "content";
  // 551: the user moved. 553: malformed. 556: the domain takes no mail (RFC 7504).
  if (code === 551 || code === 553 || code === 556) return ofAddress(words);
  return undefined;
};

/** Some servers report an unknown address with the code for too large. */
const isUnknown = (words: string): boolean =>
  UNKNOWN_ADDRESS.test(words) && !CONTENT.test(words) && !POLICY.test(words);

const ofWords = (words: string): Failure => {
  if (FULL.test(words)) return "soft";
  if (CONTENT.test(words)) return "content";
  if (POLICY.test(words)) return "policy";
  if (TEMPORARY.test(words)) return "soft";
  return UNKNOWN_ADDRESS.test(words) ? "hard" : "soft";
};

/** Servers that refuse a sender, or rate limit, may use mailbox codes. */
const ofAddress = (words: string): Failure => {
  if (FULL.test(words) || TEMPORARY.test(words)) return "soft";
  return POLICY.test(words) ? "policy" : "hard";
};
