import { mailgunScheme } from "../lib/signature/providers.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type MailgunEvent = {
  type: string;
  "event-data": {
    id: string;
    event: string;
    severity?: string;
    reason?: string;
    timestamp: number;
    recipient: string;
    "user-variables"?: Readonly<Record<string, unknown>>;
  };
};

/**
 * Mailgun: the HMAC-SHA256 does not cover the event, so one signature allows forgery for 8 h. Keep the URL private.
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export const mailgun: Handler<MailgunEvent> = {
  provider: "mailgun",
  about: {
    title: "Mailgun",
    secret: "MAILGUN_WEBHOOK_SIGNING_KEY",
    setUp: "Sending → Webhooks → HTTP webhook signing key",
  },
  scheme: mailgunScheme,
  accepted: { status: 200 },
  read: readEvent({
    what: "a Mailgun event",
    id: "event-data.id",
    type: ["event-data.event", "event-data.severity"],
    time: [["event-data.timestamp", "s"]],
  }),
};
