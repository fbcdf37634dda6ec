import { sharedSecret } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

type Traits = Readonly<Record<string, unknown>> & { email?: string; firstName?: string; lastName?: string };

/** `type`: its kind; for `track` with the event's name, such as `track.Signed Up`. */
export type RudderstackEvent = {
  type: string;
  messageId?: string;
  event?: string;
  userId?: string;
  traits?: Traits;
  properties?: Readonly<Record<string, unknown>>;
  context?: { traits?: Traits };
};

/**
 * RudderStack does not sign: add a header to the webhook destination.
 * @see https://www.rudderstack.com/docs/destinations/streaming-destinations/webhooks/
 */
export const rudderstack: Handler<RudderstackEvent> = {
  provider: "rudderstack",
  about: {
    title: "RudderStack",
    secret: "RUDDERSTACK_WEBHOOK_SECRET",
    setUp: "Destinations → Webhook → Headers: `Authorization: Bearer <secret>`, yours to choose",
  },
  scheme: sharedSecret,
  freeSecret: true,
  items: listOf,
  read: readEvent({
    what: "a RudderStack event",
    id: "messageId",
    type: ["type", "event"],
    otherwise: "unknown",
    time: [
      ["originalTimestamp", "iso"],
      ["timestamp", "iso"],
    ],
  }),
};
