import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** A change of a booking. `type`: for example `BOOKING_CREATED`. */
export type CalComEvent = {
  type: string;
  triggerEvent: string;
  createdAt: string;
  payload: {
    uid: string;
    title?: string;
    startTime?: string;
    endTime?: string;
    /** The reason that the person gave for a cancellation. */
    cancellationReason?: string;
    /** The former time of a rescheduled booking. */
    rescheduleStartTime?: string;
    attendees: { email: string; name: string; timeZone?: string }[];
    organizer: { id?: number; email: string; name?: string };
  };
};

/**
 * Cal.com: `X-Cal-Signature-256`, an HMAC-SHA256 of the body in hex. Events have no id; the id is made of event type,
 * booking and time. A custom payload template changes the body: keep `triggerEvent` and `createdAt` in it.
 * @see https://cal.com/docs/developing/guides/automation/webhooks
 */
export const calCom: Handler<CalComEvent> = {
  provider: "cal.com",
  about: {
    title: "Cal.com",
    secret: "CALCOM_WEBHOOK_SECRET",
    setUp: "Settings → Developer → Webhooks → Secret: yours to choose",
  },
  scheme: hmacOfBody("X-Cal-Signature-256"),
  freeSecret: true,
  format: "json or form",
  read: readEvent({
    what: "a Cal.com event",
    id: ["triggerEvent", "payload.uid", "createdAt"],
    type: "triggerEvent",
    otherwise: "unknown",
    time: [["createdAt", "iso"]],
  }),
};
