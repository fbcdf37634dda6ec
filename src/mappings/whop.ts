import { type WhopEvent, type WhopMembership, whop } from "../handlers/whop.ts";
import { isKnown } from "../rules/people/customer.ts";
import { joined, type Link, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import payments, { personOf } from "./whop/payments.ts";

type Event = { type: string; timestamp: string; data: WhopMembership };

const person = ({ data }: Event) => personOf(data.user);
const hasPerson = (e: Event) => isKnown(person(e));
const plan = ({ data }: Event) => clip(data.product.title);
const named = { plan, planName: plan };
const status = ({ data }: Event) => data.status;
const periodEnd = ({ data }: Event) => iso(data.renewal_period_end);

const DAY_MS = 86_400_000;
/** A membership becomes active again after a late payment, with the same webhook. */
const isNew = ({ timestamp, data }: Event) => Date.parse(timestamp) - Date.parse(data.created_at) < DAY_MS;

/** `completed`: paid once, with access for good. The ranks of these words differ by provider. */
const STANDING: Readonly<Partial<Record<WhopMembership["status"], string>>> = {
  completed: "active",
  canceling: "active",
  unresolved: "past_due",
  drafted: "incomplete",
};

// Whop sends receipts itself.
const memberships = rules(whop, [
  {
    name: "membership state",
    on: [
      "membership.activated",
      "membership.deactivated",
      "membership.cancel_at_period_end_changed",
      "membership.trial_ending_soon",
    ],
    when: hasPerson,
    contact: person,
    update: { whopUserId: (e) => e.data.user?.id },
    subscription: {
      id: (e) => e.data.id,
      customer: (e) => e.data.user?.id,
      status: (e) => (e.type === "membership.deactivated" ? "expired" : (STANDING[e.data.status] ?? e.data.status)),
      startedAt: (e) => iso(e.data.created_at),
      update: {
        plan,
        subscriptionStatus: status,
        currentPeriodEnd: periodEnd,
        cancelAtPeriodEnd: (e) => e.data.cancel_at_period_end,
        trialEndsAt: (e) => (e.data.status === "trialing" ? periodEnd(e) : undefined),
      },
    },
  },
  {
    name: "subscription started",
    on: "membership.activated",
    when: (e) => hasPerson(e) && isNew(e),
    contact: person,
    event: { name: "subscriptionStarted", properties: { ...named, status } },
  },
  {
    name: "recovered",
    on: "membership.activated",
    when: (e) => hasPerson(e) && !isNew(e),
    contact: person,
    event: { name: "recovered", properties: named },
  },
  {
    name: "cancel scheduled",
    on: "membership.cancel_at_period_end_changed",
    when: (e) => hasPerson(e) && e.data.cancel_at_period_end,
    contact: person,
    event: {
      name: "cancelScheduled",
      properties: {
        ...named,
        endsAt: periodEnd,
        reason: (e) => e.data.cancel_option,
        comment: (e) => clip(e.data.cancellation_reason),
      },
    },
  },
  {
    name: "reactivated",
    on: "membership.cancel_at_period_end_changed",
    when: (e) => hasPerson(e) && !e.data.cancel_at_period_end,
    contact: person,
    event: { name: "reactivated", properties: { ...named, renewsAt: periodEnd } },
  },
  {
    name: "trial ending",
    on: "membership.trial_ending_soon",
    when: hasPerson,
    contact: person,
    event: { name: "trialEnding", properties: { ...named, trialEndsAt: periodEnd } },
  },
  {
    name: "subscription canceled",
    on: "membership.deactivated",
    when: hasPerson,
    contact: person,
    event: { name: "subscriptionCanceled", properties: { ...named, status } },
  },
]);

const linksOf = ({ data }: WhopEvent): readonly Link[] => {
  const of = "payment" in data ? data.payment : data;
  const user = of && "user" in of ? of.user : undefined;
  return user?.email ? [{ ref: user.id, email: user.email }] : [];
};

export default joined(whop, [memberships, payments], linksOf);
