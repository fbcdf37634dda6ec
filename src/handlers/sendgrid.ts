import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** What became of a mail. */
type SendGridEvent = {
  type:
    | "processed"
    | "deferred"
    | "delivered"
    | "open"
    | "click"
    | "bounce"
    | "dropped"
    | "spamreport"
    | "unsubscribe"
    | "group_unsubscribe"
    | "group_resubscribe";
  email: string;
  event: string;
  sg_event_id: string;
  sg_message_id?: string;
  timestamp: number;
  reason?: string;
  /** Of a bounce, as `Invalid Address`, `Mailbox Unavailable` or `Reputation`. */
  bounce_classification?: string;
};

/**
 * SendGrid's event webhook: `X-Twilio-Email-Event-Webhook-Signature`, ECDSA over time and body, by a key pair whose
 * public key is the source's "secret". One request carries many events. It comes again for 24 h, so a time may be that
 * old.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendGrid: Handler<SendGridEvent> = {
  provider: "sendgrid",
  about: {
    title: "SendGrid",
    secret: "SENDGRID_PUBLIC_KEY",
    setUp: "Settings → Mail Settings → Event Webhook → Verification Key",
  },
  scheme: {
    kind: "public key",
    algorithm: "ECDSA P-256",
    key: "spki",
    form: "der",
    encoding: "base64",
    signature: { header: "X-Twilio-Email-Event-Webhook-Signature" },
    content: ["{timestamp}{body}"],
    timestamp: { at: { header: "X-Twilio-Email-Event-Webhook-Timestamp" }, unit: "s", tolerance: 90_000 },
  },
  items: listOf,
  read: readEvent({ what: "a SendGrid event", id: "sg_event_id", type: "event", time: [["timestamp", "s"]] }),
};
