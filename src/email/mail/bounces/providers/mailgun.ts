import { textAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { classify, codesIn } from "../classify.ts";
import { feedbackOf, type ProviderEvent, tokenAt } from "./event.ts";

const REASONS: Readonly<Record<string, Feedback["kind"]>> = {
  "suppress-bounce": "hard",
  "suppress-complaint": "policy",
  "suppress-unsubscribe": "policy",
  old: "soft",
};

/**
 * Reads a Mailgun webhook.
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure
 */
export const readMailgun = (content: unknown): ProviderEvent[] => {
  const at = (path: string) => textAt(content, `event-data.${path}`);
  const message =
    at("delivery-status.message") ?? at("delivery-status.description") ?? at("reason") ?? at("event") ?? "";
  const codes = codesIn(`${at("delivery-status.code") ?? ""} ${at("delivery-status.enhanced-code") ?? ""} ${message}`);
  const kind = kindOf(at, () => classify(codes, message));
  if (!kind) return [];
  const said = { recipient: at("recipient"), message, codes, at: Number(at("timestamp")) * 1000 };
  const token = tokenAt(content, "event-data.user-variables.send", "event-data.envelope.sender");
  return [{ token, feedback: feedbackOf(kind, said) }];
};

const kindOf = (
  at: (path: string) => string | undefined,
  byWords: () => Feedback["kind"],
): Feedback["kind"] | undefined => {
  switch (at("event")) {
    case "delivered":
      return "delivered";
    case "complained":
      return "complaint";
    case "rejected":
      return "content";
    case "failed":
      return at("severity") === "temporary" ? "delayed" : (REASONS[at("reason") ?? ""] ?? byWords());
    default:
      return undefined;
  }
};
