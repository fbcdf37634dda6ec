import { type PaddleSubscription, paddle } from "../../handlers/paddle.ts";
import { customer } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { iso } from "../../rules/values/iso.ts";
import { named } from "./plan.ts";

const isScheduled = ({ scheduled_change, status }: PaddleSubscription, action: "cancel" | "pause") =>
  scheduled_change?.action === action && status !== "canceled" && status !== "paused";

const sameTime = (one: string | null | undefined, other: string | null | undefined) =>
  Boolean(one && other) && iso(one) === iso(other);

const isAfterTrial = ({ started_at, first_billed_at, current_billing_period }: PaddleSubscription) =>
  sameTime(first_billed_at, current_billing_period?.starts_at) && !sameTime(first_billed_at, started_at);

/**
 * Paddle sends no former state, so a withdrawn scheduled change only writes `cancelAtPeriodEnd: false`. For a mail
 * about it, start a workflow on that property.
 */
export default rules(paddle, [
  {
    // Other updates repeat the event while the cancellation is scheduled.
    name: "cancel scheduled",
    on: "subscription.updated",
    when: (e) => isScheduled(e.data, "cancel"),
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "cancelScheduled",
      properties: { ...named, endsAt: (e) => iso(e.data.scheduled_change?.effective_at) },
    },
  },
  {
    name: "pause scheduled",
    on: "subscription.updated",
    when: (e) => isScheduled(e.data, "pause"),
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "pauseScheduled",
      properties: {
        ...named,
        pausesAt: (e) => iso(e.data.scheduled_change?.effective_at),
        resumesAt: (e) => iso(e.data.scheduled_change?.resume_at),
      },
    },
  },
  {
    name: "trial converted",
    on: "subscription.activated",
    when: (e) => isAfterTrial(e.data),
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "trialConverted",
      properties: { ...named, renewsAt: (e) => iso(e.data.next_billed_at) },
    },
  },
]);
