import { hmacOfBody, TOLERANCE_S } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** `type` begins with `zen:event-type:`. */
type ZendeskEvent = {
  type: string;
  id?: string;
  time?: string;
  subject?: string;
  detail?: { id: string; email?: string; role?: string };
  event?: Readonly<Record<string, unknown>>;
  email?: string;
};

/**
 * Zendesk: base64 HMAC-SHA256 of time and body. The secret is used unchanged, although it looks like base64.
 * @see https://developer.zendesk.com/documentation/webhooks/verifying/
 */
export const zendesk: Handler<ZendeskEvent> = {
  provider: "zendesk",
  about: {
    title: "Zendesk",
    secret: "ZENDESK_WEBHOOK_SECRET",
    setUp: "Admin Center → Apps and integrations → Webhooks → Reveal secret",
  },
  scheme: hmacOfBody("X-Zendesk-Webhook-Signature", {
    encoding: "base64",
    content: ["{timestamp}{body}"],
    timestamp: { at: { header: "X-Zendesk-Webhook-Signature-Timestamp" }, unit: "iso", tolerance: TOLERANCE_S },
  }),
  read: readEvent({
    what: "a Zendesk event",
    id: "id",
    type: "type",
    otherwise: "unknown",
    time: [["time", "iso"]],
  }),
};
