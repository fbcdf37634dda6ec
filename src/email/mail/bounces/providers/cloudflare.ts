import { textAt } from "../../../../lib/webhook/shape.ts";
import type { Feedback, TakenMail } from "../../../types/feedback.ts";
import { classify, codesIn } from "../classify.ts";
import { feedbackOf } from "./event.ts";

const TYPE = /^cf\.email\.sending\.message\.(delivered|deferred|bounced|failed|rejected|complained)$/;

/**
 * Reads an event of Email Sending, or returns undefined. `domains`: domains that may belong to the team, the nearest first.
 * @see https://developers.cloudflare.com/email-service/platform/event-subscriptions/
 */
export const readCloudflare = (event: unknown): (TakenMail & { domains: string[] }) | undefined => {
  const [, type = ""] = TYPE.exec(textAt(event, "type") ?? "") ?? [];
  const recipient = textAt(event, "payload.recipient");
  const reply = textAt(event, "payload.messageId");
  if (type === "" || !recipient || !reply) return undefined;
  const said = wordsOf(event);
  const kind = kindOf(type, event, said);
  if (kind === undefined) return undefined;
  const at = textAt(event, "metadata.eventTimestamp");
  const [, sender = ""] = (textAt(event, "payload.sender") ?? "").split("@");
  const domains = [sender, textAt(event, "source.domain") ?? ""].map((name) => name.toLowerCase().replace(/>$/, ""));
  const feedback = feedbackOf(kind, { recipient, message: said || type, at });
  return { recipient, reply, feedback, domains: [...new Set(domains)].filter((name) => name !== "") };
};

const WORDS = ["delivery.smtpResponse", "bounce.reason", "rejection.detail", "rejection.reason", "failure.reason"];

const wordsOf = (event: unknown): string =>
  WORDS.map((path) => textAt(event, `payload.${path}`) ?? "").find((text) => text !== "") ?? "";

const kindOf = (type: string, event: unknown, said: string): Feedback["kind"] | undefined => {
  switch (type) {
    case "delivered":
      return "delivered";
    case "deferred":
      return "delayed";
    case "bounced": {
      if (said !== "") return classify(codesIn(said), said);
      return textAt(event, "payload.bounce.type") === "hard" ? "hard" : "soft";
    }
    case "rejected":
      return rejection(textAt(event, "payload.rejection.reason") ?? "");
    case "complained":
      return textAt(event, "payload.complaint.type") === "not-spam" ? undefined : "complaint";
    default:
      return "soft";
  }
};

/** Cloudflare takes no mail for a suppressed address. */
const rejection = (reason: string): Feedback["kind"] => {
  if (/suppress/i.test(reason)) return "hard";
  return /valid/i.test(reason) ? "content" : "policy";
};
