import { sharedSecret } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";
import { listOf } from "./shape.ts";

/** A call: its kind, for `track` with the event's name after it, as `track.Signed Up`. */
export type RudderstackEvent = {
  type: string;
  messageId?: string;
  event?: string;
  userId?: string;
  properties?: Readonly<Record<string, unknown>>;
  context?: { traits?: Readonly<Record<string, unknown>> };
};

/**
 * RudderStack signs nothing: add a header to the webhook destination.
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
