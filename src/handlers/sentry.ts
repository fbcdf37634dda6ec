import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type SentryEvent = {
  type: string;
  action: string;
  installation: { uuid: string };
  actor?: { type: string; id: number | string; name?: string };
  data: Readonly<Record<string, unknown>> & {
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
 * Sentry: hex HMAC-SHA256 in `Sentry-Hook-Signature`. The unsigned time in the headers is not used.
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
