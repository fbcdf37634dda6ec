import { listOf, textAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { classify, codesIn } from "../classify.ts";
import { feedbackOf, kindUnlessSender, type ProviderEvent, tokenAt } from "./event.ts";

/** https://www.twilio.com/docs/sendgrid/ui/analytics-and-reporting/bounce-and-block-classifications */
const CLASSES: Readonly<Record<string, Feedback["kind"]>> = {
  "invalid address": "hard",
  "mailbox unavailable": "soft",
  content: "content",
  reputation: "policy",
  technical: "soft",
  "technical failure": "soft",
  "frequency or volume too high": "policy",
};
const DROPS: readonly [RegExp, Feedback["kind"]][] = [
  [/spam report/i, "complaint"],
  [/bounced address|invalid/i, "hard"],
  [/spam content|smtpapi|header/i, "content"],
];

/**
 * Reads a SendGrid webhook.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 */
export const readSendGrid = (content: unknown): ProviderEvent[] =>
  listOf(content).flatMap((event) => {
    const message = textAt(event, "reason") ?? textAt(event, "response") ?? textAt(event, "event") ?? "";
    const status = textAt(event, "status");
    const codes = codesIn(`${status ?? ""} ${message}`);
    const kind = kindOf(event, message, codes);
    if (!kind) return [];
    const said = { recipient: textAt(event, "email"), message, codes, at: Number(textAt(event, "timestamp")) * 1000 };
    return [{ token: tokenAt(event, "send"), feedback: feedbackOf(kind, said) }];
  });

const kindOf = (event: unknown, reason: string, codes: ReturnType<typeof codesIn>): Feedback["kind"] | undefined => {
  switch (textAt(event, "event")) {
    case "delivered":
      return "delivered";
    case "deferred":
      return "delayed";
    case "spamreport":
      return "complaint";
    case "dropped":
      return DROPS.find(([words]) => words.test(reason))?.[1] ?? "policy";
    case "bounce": {
      const named = CLASSES[(textAt(event, "bounce_classification") ?? "").toLowerCase()];
      if (named) return kindUnlessSender(named, reason, codes);
      const kind = classify(codes, reason);
      // A block concerns the sender or is temporary, never the address.
      return textAt(event, "type") === "blocked" && kind === "hard" ? "policy" : kind;
    }
    default:
      return undefined;
  }
};
