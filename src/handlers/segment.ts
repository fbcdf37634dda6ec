import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { listOf } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

type Traits = Readonly<Record<string, unknown>> & { email?: string; firstName?: string; lastName?: string };

/** `type`: its kind; for `track` with the event's name, such as `track.Signed Up`. */
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
 * Segment: hex HMAC-SHA1 in `X-Signature`. A batch signs only its first element and needs `Authorization: Bearer <the
 * same secret>`.
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
