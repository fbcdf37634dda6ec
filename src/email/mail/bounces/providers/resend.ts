import { listOf, textAt, valueAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback } from "../../../types/feedback.ts";
import { feedbackOf, kindOfBounce, type ProviderEvent, tokenAt } from "./event.ts";

const KINDS: Readonly<Record<string, Feedback["kind"]>> = {
  "email.delivered": "delivered",
  "email.delivery_delayed": "delayed",
  "email.complained": "complaint",
};

/**
 * Reads a Resend webhook. The send comes from a tag, or from `X-Entity-Ref-ID`.
 * @see https://resend.com/docs/dashboard/webhooks/body-parameters
 */
export const readResend = (content: unknown): ProviderEvent[] => {
  const type = textAt(content, "type") ?? "";
  const words = listOf(valueAt(content, "data.bounce.diagnosticCode")).filter((one) => typeof one === "string");
  const said = [textAt(content, "data.bounce.message") ?? "", ...words].join(" ").trim();
  const kind = type === "email.bounced" ? bounceOf(content, words.join(" "), said) : KINDS[type];
  if (!kind) return [];
  const token = tokenAt(content, "data.tags.send") ?? headerOf(content);
  const at = textAt(content, "created_at");
  return listOf(valueAt(content, "data.to") ?? []).map((one) => {
    const recipient = typeof one === "string" ? one : undefined;
    return { token, feedback: feedbackOf(kind, { recipient, message: said || type, at }) };
  });
};

/** `said` includes Resend's explanation. */
const bounceOf = (content: unknown, words: string, said: string): Feedback["kind"] => {
  const subtype = textAt(content, "data.bounce.subType");
  if (subtype === "ContentRejected" || subtype === "MessageTooLarge" || subtype === "AttachmentRejected")
    return "content";
  const type = textAt(content, "data.bounce.type");
  return kindOfBounce(type, subtype, type === "Permanent" ? said : words);
};

const headerOf = (content: unknown): string | undefined => {
  const header = listOf(valueAt(content, "data.headers")).find((one) =>
    /^x-entity-ref-id$/i.test(textAt(one, "name") ?? ""),
  );
  return textAt(header, "value");
};
