import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

/** A person's traits. These names are reserved by Segment; others are your own. */
type Traits = Readonly<Record<string, unknown>> & { email?: string; firstName?: string; lastName?: string };

/** A call. `type`: its kind; for `track` followed by the event's name, such as `track.Signed Up`. */
export type SegmentEvent = {
  type: string;
  messageId?: string;
  event?: string;
  userId?: string | null;
  anonymousId?: string;
  timestamp?: string;
  traits?: Traits;
  properties?: Readonly<Record<string, unknown>>;
  context?: { traits?: Traits };
};

/**
 * Segment: `X-Signature`, an HMAC-SHA1 of the body in hex. In a batch, Segment signs only the first element. A batch
 * therefore also needs the header `Authorization: Bearer <the same secret>`: add it to the destination.
 * @see https://segment.com/docs/connections/destinations/catalog/actions-webhook/
 */
export const segment: Handler<SegmentEvent> = {
  provider: "segment",
  about: {
    title: "Segment",
    secret: "SEGMENT_WEBHOOK_SECRET",
    setUp: "Destinations → Webhooks (Actions) → Shared Secret: yours to choose",
  },
  scheme: {
    kind: "first",
    of: [
      { kind: "shared", headers: [{ header: "Authorization", prefix: "Bearer " }] },
      hmacOfBody("X-Signature", { hash: "SHA-1" }),
    ],
  },
  freeSecret: true,
  items: listOf,
  read: readEvent({
    what: "a Segment event",
    id: "messageId",
    type: ["type", "event"],
    otherwise: "unknown",
    time: [
      ["timestamp", "iso"],
      ["originalTimestamp", "iso"],
    ],
  }),
};
