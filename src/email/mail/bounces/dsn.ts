import type { Feedback } from "../../types/feedback.ts";
import { type Codes, classify, codesIn } from "./classify.ts";
import { addressIn, groupsIn, type ReportFields } from "./report-fields.ts";

const MAX_MESSAGE = 500;

/** Reads a delivery status notification (RFC 3464), one entry per recipient. */
export const readDsn = (report: string): Feedback[] =>
  groupsIn(report)
    .filter((fields) => RECIPIENT_FIELDS.some((name) => fields.has(name)))
    .map(feedbackOf);

const RECIPIENT_FIELDS = ["final-recipient", "original-recipient", "action", "status"];

const feedbackOf = (fields: ReportFields): Feedback => {
  // The original address, not a forwarder's.
  const recipient = addressIn(fields.get("original-recipient")) ?? addressIn(fields.get("final-recipient"));
  const words = (fields.get("diagnostic-code") ?? "").replace(/^\s*[\w-]+\s*;\s*/, "");
  const codes = codesOf(fields.get("status") ?? "", words);
  return {
    kind: kindOf((fields.get("action") ?? "").toLowerCase().replace(/[^a-z].*$/, ""), codes, words),
    ...(recipient === undefined ? {} : { recipient }),
    ...codes,
    message: words.replace(/\s+/g, " ").slice(0, MAX_MESSAGE),
  };
};

/** A status such as 5.0.0 is less specific than a code in the text. */
const codesOf = (status: string, words: string): Codes => {
  const { code } = codesIn(status);
  const said = codesIn(words);
  const best =
    code === undefined || (/\.0\.0$/.test(code) && said.code?.startsWith(code.slice(0, 1))) ? said.code : code;
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
