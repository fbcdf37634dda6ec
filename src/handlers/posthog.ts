import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type PosthogEvent = {
  type: string;
  event: {
    uuid?: string;
    event: string;
    timestamp?: string;
    distinct_id: string;
    properties?: Readonly<Record<string, unknown>>;
  };
  person?: { id: string; properties: Readonly<Record<string, unknown>> & { email?: string } };
};

/**
 * PostHog does not sign: add a header to the webhook destination.
 * @see https://posthog.com/docs/cdp/destinations/webhook
 */
export const posthog: Handler<PosthogEvent> = {
  provider: "posthog",
  about: {
    title: "PostHog",
    secret: "POSTHOG_WEBHOOK_SECRET",
    setUp: "Data pipeline → Destinations → HTTP Webhook → Headers: `Authorization: Bearer <secret>`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  read: readEvent({
    what: "a PostHog event",
    id: "event.uuid",
    type: "event.event",
    otherwise: "unknown",
    time: [["event.timestamp", "iso"]],
  }),
};
