import { sendGridScheme } from "../lib/signature/providers.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

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
  bounce_classification?: string;
};

/**
 * SendGrid: ECDSA of time and body, with the public key as "secret". Signed time may be 24 h old, because of retries.
 * @see
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
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
