import type { FeedbackKind } from "../../types/feedback.ts";
import { withoutNames } from "./mask-names.ts";
import { isBeforeRecipient, type Meaning, subjectOf } from "./phrases.ts";

export type Failure = Extract<FeedbackKind, "hard" | "soft" | "content" | "policy">;

export type Codes = { code?: string; replyCode?: number };

/** Characters of a refusal that are read; the reason comes first. */
const MAX_WORDS = 2_000;
const MAX_MESSAGE = 500;

const ENHANCED = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/g;
const REPLY = /(?:^|[^\d.])([45][0-5]\d)(?=[ \-:;,)#]|$)/;

/** Finds the reply code and the first enhanced status with a subject, such as in `550 5.1.1` or `550-5.1.1`. */
export const codesIn = (said: string): Codes => {
  const text = withoutNames(said.slice(0, MAX_WORDS));
  const codes = Array.from(text.matchAll(ENHANCED), ([, code = ""]) => code);
  const code = codes.find((one) => one.split(".")[1] !== "0" && one.startsWith(codes[0]?.[0] ?? "")) ?? codes[0];
  const [, replyCode] = REPLY.exec(text) ?? [];
  return { ...(code ? { code } : {}), ...(replyCode ? { replyCode: Number(replyCode) } : {}) };
};

const wordsIn = (said: string): string => withoutNames(said.slice(0, MAX_WORDS));

/**
 * Classifies a refusal. The subject of its words wins over its codes (RFC 3463); only a certainly nonexistent address
 * is `hard`, and an unclear failure is `soft`.
 */
export const classify = (codes: Codes, said: string): Failure => {
  const words = wordsIn(said);
  const subject = subjectOf(words);
  // 4.0.0 is also the status of reports that know no better.
  const isFinal = (codes.code?.[0] !== "4" || codes.code === "4.0.0") && (codes.replyCode ?? 500) >= 500;
  // The codes of a bad sender.
  if (/^5\.1\.[78]$/.test(codes.code ?? "")) return "policy";
  if (isFinal && isBeforeRecipient(words) && subject !== "content" && subject !== "full" && subject !== "pause")
    return "policy";
  return ofWords(subject, codes, isFinal) ?? ofCodes(codes, isFinal);
};

/** Reads what a server says. `status`: of a report, less specific than a code in the text if such as 5.0.0. */
export const readRefusal = (said: string, status: string): { codes: Codes; failure: Failure; message: string } => {
  const words = said.slice(0, MAX_WORDS);
  const codes = codesOf(status, words);
  return { codes, failure: classify(codes, words), message: words.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE) };
};

const codesOf = (status: string, words: string): Codes => {
  const { code } = codesIn(status);
  const said = codesIn(words);
  const best =
    code === undefined || (/^\d\.0\./.test(code) && said.code?.startsWith(code.slice(0, 1))) ? said.code : code;
  const found = best ?? code;
  return {
    ...(found === undefined ? {} : { code: found }),
    ...(said.replyCode === undefined ? {} : { replyCode: said.replyCode }),
  };
};

/** True if the words of a refusal tell its reason. */
export const isClear = (said: string): boolean => !UNCLEAR.includes(subjectOf(wordsIn(said)));

const UNCLEAR: readonly (Meaning | undefined)[] = [undefined, "later", "rejected"];

/** True if a soft refusal concerns the recipient's mailbox: status X.2.X, or full. */
export const isOfMailbox = ({ code = "" }: Codes, said: string): boolean => {
  const subject = subjectOf(wordsIn(said));
  if (/^[45]\.2\./.test(code)) return subject !== "pause" || /^[45]\.2\.[12]$/.test(code);
  return subject === "full" && !/^[45]\.[3-7]\./.test(code);
};

const ofWords = (subject: Meaning | undefined, codes: Codes, isFinal: boolean): Failure | undefined => {
  switch (subject) {
    case "pause":
    case "full":
      return "soft";
    case "sender":
      return "policy";
    case "content":
      return "content";
    case "unknown":
      return isFinal ? "hard" : "soft";
    case "address":
      return isFinal ? (isOfAddress(codes) ? "hard" : "policy") : undefined;
    case "outage":
      return isFinal ? "soft" : undefined;
    case "denied":
      return isFinal ? "policy" : undefined;
    case "later":
      return isFinal && codes.code?.startsWith("5.7.") !== true ? "soft" : undefined;
    case "rejected":
      return isFinal && !isOfAddress(codes) && ofCodes(codes, isFinal) !== "content" ? "policy" : undefined;
    default:
      return undefined;
  }
};

/** 5.4.1 is Exchange's answer for an unknown address, 556 and 521 those of RFC 7504. */
const isOfAddress = ({ code = "", replyCode }: Codes): boolean =>
  /^5\.(?:1\.(?:[01236]|10)|2\.1|4\.1)$/.test(code) || replyCode === 556;

const ofCodes = ({ code = "", replyCode }: Codes, isFinal: boolean): Failure => {
  const [, subject, detail = ""] = code.split(".");
  if (subject === "7") return "policy";
  if (subject === "6" || ["2.3", "3.4"].includes(`${subject}.${detail}`)) return "content";
  if (subject === "1" && ["7", "8"].includes(detail)) return "policy";
  if (!isFinal) return "soft";
  if (subject === "1") return ["1", "2", "3", "6", "10"].includes(detail) ? "hard" : "soft";
  if (subject === "2") return detail === "1" ? "hard" : "soft";
  if (replyCode === 556) return "hard";
  if (replyCode === 552 && (subject === undefined || subject === "0")) return "content";
  return "soft";
};
