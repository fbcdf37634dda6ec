import { remember } from "../../../lib/util/remember.ts";
import type { Feedback } from "../../types/feedback.ts";
import { type Codes, isClear, readRefusal } from "./classify.ts";
import { createWordsFor } from "./notice.ts";
import { earlyStep } from "./phrases.ts";
import { addressIn, groupsIn, type ReportFields } from "./report-fields.ts";
import { told } from "./told.ts";

/** An entry with the address that the server really wrote to. */
type Entry = { final: string; feedback: Feedback };

/** The part for people. `step`: an early one is named in it. `read`: many groups may have the same words. */
type ForPeople = {
  text: string;
  step: string | undefined;
  wordsFor: ReturnType<typeof createWordsFor>;
  read: typeof readRefusal;
};

/**
 * Reads a delivery status notification (RFC 3464), one entry per recipient. `text`: its part for people, which has the
 * reason if a group has none.
 */
export const readDsn = (report: string, text: string): Feedback[] => {
  const byRecipient = new Map<string, Entry[]>();
  const people = { text, step: earlyStep(told(text)), wordsFor: createWordsFor(text), read: remember(readRefusal) };
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
  const words = hasReason(status, given)
    ? withStep(people, fields, recipient, given)
    : wordsOf(people, fields, recipient, given);
  const { codes, failure, message } = people.read(words, status);
  return {
    kind: kindOf((fields.get("action") ?? "").toLowerCase().replace(/[^a-z].*$/, ""), codes) ?? failure,
    ...(recipient === undefined ? {} : { recipient }),
    ...codes,
    message,
  };
};

/** A code such as 5.0.0 and words without a subject say nothing. */
const hasReason = (status: string, given: string): boolean =>
  given !== "" && (isClear(given) || /\d\.(?:[1-5]\.[1-9]|[67]\.\d)/.test(`${status} ${given}`));

const wordsOf = (people: ForPeople, fields: ReportFields, recipient: string | undefined, given: string): string => {
  const words = toPeople(people, fields, recipient);
  return given === "" || isClear(words) ? `${given} ${words}`.trim() : given;
};

const toPeople = ({ text, wordsFor }: ForPeople, fields: ReportFields, recipient: string | undefined): string => {
  const final = addressIn(fields.get("final-recipient"));
  return wordsFor(final !== undefined && text.includes(final) ? final : recipient);
};

/** Adds the step of the protocol: Postfix names it to people only, beside the server's words. */
const withStep = (people: ForPeople, fields: ReportFields, recipient: string | undefined, given: string): string => {
  if (people.step === undefined || earlyStep(given) !== undefined) return given;
  const step = earlyStep(toPeople(people, fields, recipient));
  return step === undefined ? given : `${given} (${step})`;
};

const kindOf = (action: string, codes: Codes): Feedback["kind"] | undefined => {
  if (["delivered", "relayed", "expanded"].includes(action)) return "delivered";
  if (action === "delayed") return "delayed";
  return action !== "failed" && codes.code?.startsWith("2.") ? "delivered" : undefined;
};
