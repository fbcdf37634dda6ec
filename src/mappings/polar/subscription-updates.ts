import { type PolarSubscription, polar } from "../../handlers/polar.ts";
import { type Bill, billChange, billOf, billProperties, billState } from "../../rules/billing/bill.ts";
import { rules } from "../../rules/types.ts";
import { iso } from "../../rules/values/iso.ts";
import { person } from "./customer.ts";
import { named } from "./plans.ts";

type Event = { data: PolarSubscription };

/** Types that write the state and may show a change. */
const CHANGES = [
  "subscription.updated",
  "subscription.active",
  "subscription.canceled",
  "subscription.uncanceled",
  "subscription.past_due",
  "subscription.resumed",
] as const;

const isRunning = ({ data: { status } }: Event) =>
  status === "active" || status === "trialing" || status === "past_due";

const pauses = ({ data: { pause_at_period_end, status } }: Event) =>
  pause_at_period_end === true && status === "active";

const bill = ({ data: { product, amount, currency, ...data } }: Event): Bill =>
  billOf(product.id, [
    {
      price: "",
      currency,
      amount,
      quantity: 1,
      interval: data.recurring_interval ?? "",
      count: data.recurring_interval_count ?? 1,
    },
  ]);

const id = (e: Event) => e.data.id;

/** Polar sends no former state, so the Outbox compares with what it has stored. */
export const state = { ...billState(bill), pauseScheduled: pauses };

const { rose, fell, other } = billChange(bill);

const changeOfPlan = {
  ...named,
  previousPlan: { stored: "plan" },
  previousPlanName: { stored: "plan" },
  ...billProperties(bill, (e) => e.data.currency),
};

export default rules(polar, [
  {
    name: "upgraded",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...rose },
    contact: person,
    event: { name: "upgraded", properties: changeOfPlan },
  },
  {
    name: "downgraded",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...fell },
    contact: person,
    event: { name: "downgraded", properties: changeOfPlan },
  },
  {
    name: "plan changed",
    on: CHANGES,
    when: isRunning,
    ifStored: { id, ...other },
    contact: person,
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
    name: "pause scheduled",
    on: CHANGES,
    when: pauses,
    ifStored: { id, isNot: { pauseScheduled: true } },
    contact: person,
    event: {
      name: "pauseScheduled",
      properties: {
        ...named,
        pausesAt: (e) => iso(e.data.current_period_end),
        resumesAt: (e) => iso(e.data.resumes_at),
      },
    },
  },
]);
