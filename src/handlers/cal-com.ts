import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type CalComEvent = {
  type: string;
  triggerEvent: string;
  createdAt: string;
  payload: {
    uid: string;
    title?: string;
    startTime?: string;
    endTime?: string;
    cancellationReason?: string;
    rescheduleStartTime?: string;
    attendees: { email: string; name: string; timeZone?: string }[];
    organizer: { id?: number; email: string; name?: string };
  };
};

/**
 * Cal.com: hex HMAC-SHA256 in `X-Cal-Signature-256`. A custom template must keep `triggerEvent` and `createdAt`,
 * because events have no id.
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
