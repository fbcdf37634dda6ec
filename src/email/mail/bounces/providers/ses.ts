import { listOf, textAt, valueAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { tokenIn } from "../return-path-token.ts";
import { feedbackOf, kindOfBounce, type ProviderEvent } from "./event.ts";

/** Recipient lists by `eventType` or, in older notifications, `notificationType`. */
const LISTS: Readonly<Record<string, string>> = {
  Bounce: "bounce.bouncedRecipients",
  Complaint: "complaint.complainedRecipients",
  Delivery: "delivery.recipients",
  DeliveryDelay: "deliveryDelay.delayedRecipients",
  Reject: "mail.destination",
};

/** Subtypes that are more specific than the server's words. */
const SUBTYPES: Readonly<Record<string, Feedback["kind"]>> = {
  NoEmail: "hard",
  Suppressed: "hard",
  OnAccountSuppressionList: "hard",
  UnsubscribedRecipient: "policy",
  MailboxFull: "soft",
  CustomTimeoutExceeded: "soft",
  MessageTooLarge: "content",
  ContentRejected: "content",
  AttachmentRejected: "content",
};

/**
 * Reads an SES event in an Amazon SNS message.
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
 */
export const readSes = (content: unknown): ProviderEvent[] => {
  const event = eventIn(textAt(content, "Message") ?? "");
  const type = textAt(event, "eventType") ?? textAt(event, "notificationType") ?? "";
  const list = Object.hasOwn(LISTS, type) ? LISTS[type] : undefined;
  if (list === undefined || isNoSpam(event)) return [];
  const token = tagOf(event) ?? tokenIn(textAt(event, "mail.source") ?? "");
  const group = list.slice(0, list.indexOf("."));
  const at = textAt(event, `${group}.timestamp`);
  return listOf(valueAt(event, list) ?? []).map((one) => {
    const recipient = typeof one === "string" ? one : textAt(one, "emailAddress");
    const said = `${textAt(one, "status") ?? ""} ${textAt(one, "diagnosticCode") ?? ""}`.trim();
    const message =
      said || textAt(event, `${group}.smtpResponse`) || textAt(event, `${group}.reason`) || describe(event, type);
    return { token, feedback: feedbackOf(kindOf(event, type, said), { recipient, message, at }) };
  });
};

const tagOf = (event: unknown): string | undefined => {
  const [tag] = listOf(valueAt(event, "mail.tags.send"));
  return typeof tag === "string" ? tag : undefined;
};

const isNoSpam = (event: unknown): boolean => textAt(event, "complaint.complaintFeedbackType") === "not-spam";

const describe = (event: unknown, type: string): string =>
  [
    type,
    textAt(event, "bounce.bounceType"),
    textAt(event, "bounce.bounceSubType"),
    textAt(event, "complaint.complaintFeedbackType"),
    textAt(event, "deliveryDelay.delayType"),
  ]
    .filter(Boolean)
    .join(" ");

const kindOf = (event: unknown, type: string, said: string): Feedback["kind"] => {
  if (type === "Delivery") return "delivered";
  if (type === "DeliveryDelay") return "delayed";
  if (type === "Complaint") return "complaint";
  if (type === "Reject") return "content";
  const bySubtype = SUBTYPES[textAt(event, "bounce.bounceSubType") ?? ""];
  if (bySubtype) return bySubtype;
  return kindOfBounce(textAt(event, "bounce.bounceType"), textAt(event, "bounce.bounceSubType"), said);
};

const eventIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
