import { type PaddleSubscription, paddle } from "../../handlers/paddle.ts";
import { billChange, billProperties, billState } from "../../rules/billing/bill.ts";
import { customer } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { iso } from "../../rules/values/iso.ts";
import { bill, named } from "./plan.ts";

type Event = { data: PaddleSubscription };

/** Types that write the state and may show a change. */
const CHANGES = [
  "subscription.updated",
  "subscription.activated",
  "subscription.trialing",
  "subscription.past_due",
  "subscription.resumed",
] as const;

const isRunning = ({ data: { status } }: Event) => status !== "canceled" && status !== "paused";

const isScheduled = (e: Event, action: "cancel" | "pause") =>
  e.data.scheduled_change?.action === action && isRunning(e);

const id = (e: Event) => e.data.id;

/** Paddle sends no former state, so the Outbox compares with what it has stored. */
export const state = {
  ...billState(bill),
  planName: named.planName,
  pauseScheduled: (e: Event) => isScheduled(e, "pause"),
};

const { rose, fell, other } = billChange(bill);

const changeOfPlan = {
  ...named,
  previousPlan: { stored: "plan" },
  previousPlanName: { stored: "planName" },
  ...billProperties(bill, (e) => e.data.currency_code),
};

const sameTime = (one: string | null | undefined, other: string | null | undefined) =>
  Boolean(one && other) && iso(one) === iso(other);

const isAfterTrial = ({ started_at, first_billed_at, current_billing_period }: PaddleSubscription) =>
  sameTime(first_billed_at, current_billing_period?.starts_at) && !sameTime(first_billed_at, started_at);

export default rules(paddle, [
  {
    name: "upgraded",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...rose },
    contact: (e) => customer(e.data.customer_id),
    event: { name: "upgraded", properties: changeOfPlan },
  },
  {
    name: "downgraded",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...fell },
    contact: (e) => customer(e.data.customer_id),
    event: { name: "downgraded", properties: changeOfPlan },
  },
  {
    name: "plan changed",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...other },
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "planChanged",
      properties: {
        ...changeOfPlan,
        previousInterval: { stored: "interval" },
        previousCurrency: { stored: "currency" },
      },
    },
  },
  {
    name: "cancel scheduled",
    on: CHANGES,
    when: (e) => isScheduled(e, "cancel"),
    ifStored: { id, isNot: { cancelAtPeriodEnd: true } },
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "cancelScheduled",
      properties: { ...named, endsAt: (e) => iso(e.data.scheduled_change?.effective_at) },
    },
  },
  {
    name: "reactivated",
    on: CHANGES,
    when: (e) => isRunning(e) && !isScheduled(e, "cancel"),
    ifStored: { id, is: { cancelAtPeriodEnd: true } },
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "reactivated",
      properties: { ...named, renewsAt: (e) => iso(e.data.next_billed_at) },
    },
  },
  {
    name: "pause scheduled",
    on: CHANGES,
    when: (e) => isScheduled(e, "pause"),
    ifStored: { id, isNot: { pauseScheduled: true } },
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
