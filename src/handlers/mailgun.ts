import { mailgunScheme } from "../lib/signature/providers.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** The status of a sent mail. `type`: event and severity, if any, such as `failed.permanent`. */
type MailgunEvent = {
  type: string;
  "event-data": {
    id: string;
    event: string;
    severity?: string;
    /** Why the mail failed, such as `bounce`, `suppress-bounce` or `old`. */
    reason?: string;
    timestamp: number;
    recipient: string;
    "user-variables"?: Readonly<Record<string, unknown>>;
  };
};

/**
 * Mailgun: `signature` in the body, an HMAC-SHA256 of its time and token in hex. **It does not cover the event**:
 * anyone who has seen one signature can forge events until its time expires. That is 8 h, because Mailgun retries for 8
 * h. Use HTTPS and keep the URL private.
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
