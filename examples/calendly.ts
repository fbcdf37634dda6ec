/**
 * Calendly: bookings: created, rescheduled, canceled. Anyone can book with any address, so the rules use the address
 * alone, link nothing and write no name.
 *
 * To use it, copy this file to `src/mappings/calendly.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import calendly from "./mappings/calendly.ts";
 *     calendly: { rules: calendly, secret: "CALENDLY_WEBHOOK_SECRET" },
 */
import { type CalendlyEvent, calendly } from "../src/handlers/calendly.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";

const booking = {
  title: (e: CalendlyEvent) => clip(e.payload.scheduled_event?.name),
  startsAt: (e: CalendlyEvent) => iso(e.payload.scheduled_event?.start_time),
  timeZone: (e: CalendlyEvent) => e.payload.timezone,
};

export default rules(calendly, [
  {
    name: "booking created",
    on: "invitee.created",
    when: (e) => !e.payload.old_invitee,
    contact: { email: (e) => e.payload.email },
    event: { name: "bookingCreated", properties: booking },
  },
  {
    // A reschedule sends two webhooks. This one has the new time.
    name: "booking rescheduled",
    on: "invitee.created",
    when: (e) => Boolean(e.payload.old_invitee),
    contact: { email: (e) => e.payload.email },
    event: { name: "bookingRescheduled", properties: booking },
  },
  {
    name: "booking canceled",
    on: "invitee.canceled",
    when: (e) => e.payload.rescheduled !== true,
    contact: { email: (e) => e.payload.email },
    event: {
      name: "bookingCanceled",
      properties: { ...booking, reason: (e) => clip(e.payload.cancellation?.reason) || undefined },
    },
  },
]);
