import { timedHmac } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type CalendlyEvent = {
  type: "invitee.created" | "invitee.canceled" | "routing_form_submission.created";
  event: string;
  created_at: string;
  payload: {
    uri: string;
    email: string;
    name: string;
    status: string;
    timezone?: string | null;
    /** True for a cancellation that is part of a reschedule. */
    rescheduled?: boolean;
    old_invitee?: string | null;
    scheduled_event?: { uri: string; name: string | null; start_time: string; end_time: string };
    cancellation?: { canceled_by: string; reason: string | null; canceler_type: "host" | "invitee" };
  };
};

/**
 * Calendly: `t=<Unix s>,v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`. A reschedule sends `invitee.canceled` and
 * `invitee.created`.
 * @see https://developer.calendly.com/api-docs/4c305798a61d3-webhook-signatures
 */
export const calendly: Handler<CalendlyEvent> = {
  provider: "calendly",
  about: {
    title: "Calendly",
    secret: "CALENDLY_WEBHOOK_SECRET",
    setUp: "`signing_key` of the webhook subscription in the API: yours to choose",
    unconfirmed: true,
  },
  scheme: timedHmac("Calendly-Webhook-Signature"),
  freeSecret: true,
  read: readEvent({
    what: "a Calendly event",
    id: ["event", "payload.uri", "created_at"],
    type: "event",
    time: [["created_at", "iso"]],
  }),
};
