import type { Feedback } from "../../types/feedback.ts";
import { type Codes, classify, codesIn, isClear } from "./classify.ts";
import { createWordsFor } from "./notice.ts";
import { addressIn, groupsIn, type ReportFields } from "./report-fields.ts";

const MAX_MESSAGE = 500;

/** An entry with the address that the server really wrote to. */
type Entry = { final: string; feedback: Feedback };

type ForPeople = { text: string; wordsFor: ReturnType<typeof createWordsFor> };

/**
 * Reads a delivery status notification (RFC 3464), one entry per recipient. `text`: its part for people, which has the
 * reason if a group has none.
 */
export const readDsn = (report: string, text: string): Feedback[] => {
  const byRecipient = new Map<string, Entry[]>();
  const people = { text, wordsFor: createWordsFor(text) };
  const groups = groupsIn(report).filter((fields) => RECIPIENT_FIELDS.some((name) => fields.has(name)));
  for (const [n, fields] of groups.entries()) {
    const feedback = feedbackOf(fields, people);
    const key = feedback.recipient?.toLowerCase() ?? `group ${n}`;
    const final = (addressIn(fields.get("final-recipient")) ?? "").toLowerCase();
    // A repeated group replaces the one before it.
    const others = (byRecipient.get(key) ?? []).filter((one) => one.final !== final);
    byRecipient.set(key, [...others, { final, feedback }]);
  }
  return [...byRecipient.values()].flatMap((entries) => mildest(entries.map(({ feedback }) => feedback)));
};

const RECIPIENT_FIELDS = ["final-recipient", "original-recipient", "action", "status"];

/** An address with several members works while one of them gets mail. */
const MILDEST: readonly Feedback["kind"][] = ["delivered", "delayed", "soft", "policy", "content", "hard"];

const mildest = (entries: readonly Feedback[]): Feedback[] =>
  entries.toSorted((a, b) => MILDEST.indexOf(a.kind) - MILDEST.indexOf(b.kind)).slice(0, 1);

const feedbackOf = (fields: ReportFields, people: ForPeople): Feedback => {
  // The original address, not a forwarder's.
  const recipient = addressIn(fields.get("original-recipient")) ?? addressIn(fields.get("final-recipient"));
  const status = fields.get("status") ?? "";
  const given = (fields.get("diagnostic-code") ?? "").replace(/^\s*[\w-]+\s*;\s*/, "");
  const words = hasReason(status, given) ? given : wordsOf(people, fields, recipient, given);
  const codes = codesOf(status, words);
  return {
    kind: kindOf((fields.get("action") ?? "").toLowerCase().replace(/[^a-z].*$/, ""), codes, words),
    ...(recipient === undefined ? {} : { recipient }),
    ...codes,
    message: words.replace(/\s+/g, " ").trim().slice(0, MAX_MESSAGE),
  };
};

/** A code such as 5.0.0 and words without a subject say nothing. */
const hasReason = (status: string, given: string): boolean =>
  given !== "" && (isClear(given) || /\d\.(?:[1-5]\.[1-9]|[67]\.\d)/.test(`${status} ${given}`));

const wordsOf = (
  { text, wordsFor }: ForPeople,
  fields: ReportFields,
  recipient: string | undefined,
  given: string,
): string => {
  const final = addressIn(fields.get("final-recipient"));
  const words = wordsFor(final !== undefined && text.includes(final) ? final : recipient);
  return given === "" || isClear(words) ? `${given} ${words}`.trim() : given;
};

/** A status such as 5.0.0 is less specific than a code in the text. */
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

const kindOf = (action: string, codes: Codes, words: string): Feedback["kind"] => {
  if (["delivered", "relayed", "expanded"].includes(action)) return "delivered";
  if (action === "delayed") return "delayed";
  if (action !== "failed" && codes.code?.startsWith("2.")) return "delivered";
  return classify(codes, words);
};
