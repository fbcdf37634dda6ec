import { sendGridScheme } from "../lib/signature/providers.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** The status of a sent mail. */
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
  /** Class of a bounce, such as `Invalid Address`, `Mailbox Unavailable` or `Reputation`. */
  bounce_classification?: string;
};

/**
 * SendGrid's event webhook: `X-Twilio-Email-Event-Webhook-Signature`, an ECDSA signature of time and body. The source's
 * "secret" is the public key. One request carries many events. SendGrid retries for 24 h, so the signed time may be
 * that old.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendGrid: Handler<SendGridEvent> = {
  provider: "sendgrid",
  about: {
    title: "SendGrid",
    secret: "SENDGRID_PUBLIC_KEY",
    setUp: "Settings → Mail Settings → Event Webhook → Verification Key",
  },
  scheme: sendGridScheme,
  items: listOf,
  read: readEvent({ what: "a SendGrid event", id: "sg_event_id", type: "event", time: [["timestamp", "s"]] }),
};
