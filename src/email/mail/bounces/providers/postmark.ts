import { textAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { feedbackOf, kindUnlessSender, type ProviderEvent, tokenAt } from "./event.ts";

/** Other types are automatic answers and subscription changes. */
const TYPES: Readonly<Record<string, Feedback["kind"]>> = {
  HardBounce: "hard",
  BadEmailAddress: "hard",
  SoftBounce: "soft",
  DnsError: "soft",
  Unknown: "soft",
  Undeliverable: "soft",
  Transient: "delayed",
  SpamNotification: "policy",
  Blocked: "policy",
  DMARCPolicy: "policy",
  ManuallyDeactivated: "policy",
  VirusNotification: "content",
  SpamComplaint: "complaint",
};

/**
 * Reads a Postmark webhook.
 * @see https://postmarkapp.com/developer/webhooks/bounce-webhook
 */
export const readPostmark = (content: unknown): ProviderEvent[] => {
  const record = textAt(content, "RecordType") ?? "";
  const type = textAt(content, "Type") ?? "";
  const named =
    record === "Delivery"
      ? "delivered"
      : record === "SpamComplaint"
        ? "complaint"
        : record === "Bounce" && Object.hasOwn(TYPES, type)
          ? TYPES[type]
          : undefined;
  if (!named) return [];
  const details = textAt(content, "Details");
  const kind = kindUnlessSender(named, details ?? "");
  const message = details ?? textAt(content, "Description") ?? type;
  const recipient = textAt(content, "Email") ?? textAt(content, "Recipient");
  const at = textAt(content, "BouncedAt") ?? textAt(content, "DeliveredAt");
  return [{ token: tokenAt(content, "Metadata.send"), feedback: feedbackOf(kind, { recipient, message, at }) }];
};
