/**
 * Cal.com: bookings: created, rescheduled, canceled. Anyone can book with any address, so the rules use the address
 * alone, link nothing and write no name.
 *
 * To use it, copy this file to `src/mappings/cal-com.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import calCom from "./mappings/cal-com.ts";
 *     "cal-com": { rules: calCom, secret: "CALCOM_WEBHOOK_SECRET" },
 */
import { type CalComEvent, calCom } from "../src/handlers/cal-com.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";

const guest = { email: (e: CalComEvent) => e.payload.attendees[0]?.email };
const booking = {
  title: (e: CalComEvent) => clip(e.payload.title),
  startsAt: (e: CalComEvent) => iso(e.payload.startTime),
  timeZone: (e: CalComEvent) => e.payload.attendees[0]?.timeZone,
};

export default rules(calCom, [
  {
    name: "booking created",
    on: "BOOKING_CREATED",
    contact: guest,
    event: { name: "bookingCreated", properties: booking },
  },
  {
    name: "booking rescheduled",
    on: "BOOKING_RESCHEDULED",
    contact: guest,
    event: {
      name: "bookingRescheduled",
      properties: { ...booking, previousStartsAt: (e) => iso(e.payload.rescheduleStartTime) },
    },
  },
  {
    name: "booking canceled",
    on: "BOOKING_CANCELLED",
    contact: guest,
    event: {
      name: "bookingCanceled",
      properties: { ...booking, reason: (e) => clip(e.payload.cancellationReason) || undefined },
    },
  },
]);
