import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** An event. */
type SentryEvent = {
  type: string;
  action: string;
  installation: { uuid: string };
  actor?: { type: string; id: number | string; name?: string };
  data: Readonly<Record<string, unknown>> & {
    /** Of `issue.*`. */
    issue?: {
      id: string;
      shortId?: string;
      title: string;
      culprit?: string | null;
      level?: string;
      web_url?: string;
      project?: { id: string; name: string; slug: string };
    };
  };
};

/**
 * Sentry: `Sentry-Hook-Signature`, an HMAC-SHA256 of the body in hex with the integration's client secret. The event
 * type is resource and action, such as `issue.created`. The time in the headers is not signed and therefore not used.
 * @see https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const sentry: Handler<SentryEvent> = {
  provider: "sentry",
  about: {
    title: "Sentry",
    secret: "SENTRY_WEBHOOK_SECRET",
    setUp: "Settings → Custom Integrations → integration → Client Secret",
  },
  scheme: { kind: "first", of: [hmacOfBody("Sentry-Hook-Signature"), hmacOfBody("Sentry-App-Signature")] },
  read: readEvent({
    what: "a Sentry event",
    unsignedId: { header: "Request-ID" },
    type: [{ header: "Sentry-Hook-Resource" }, "action"],
    otherwise: "unknown",
    time: [[{ header: "Sentry-Hook-Timestamp" }, "s"]],
  }),
};
