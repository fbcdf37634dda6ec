import { type SquareCustomer, type SquareEvent, type SquareSubscription, square } from "../handlers/square.ts";
import { customer } from "../rules/people/customer.ts";
import { joined, type Link, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import payments from "./square/payments.ts";
import { PLANS } from "./square/plans.ts";

type Subscription = { data: { object: { subscription: SquareSubscription } } };
type Customer = { data: { object: { customer: SquareCustomer } } };

const of = ({ data }: Subscription) => data.object.subscription;
const who = ({ data }: Customer) => data.object.customer;
const person = (e: Subscription) => customer(of(e).customer_id);
const plan = (e: Subscription) => {
  const { plan_variation_id: id } = of(e);
  return id && (PLANS[id] ?? id);
};
/** The id, because `PLANS` may get another name. */
const offer = (e: Subscription) => of(e).plan_variation_id;
const status = (e: Subscription) => of(e).status.toLowerCase();
const ENDED = ["CANCELED", "DEACTIVATED", "COMPLETED"];
const isRunning = (e: Subscription) => of(e).status === "ACTIVE";
const isEnding = (e: Subscription) => isRunning(e) && Boolean(of(e).canceled_date);
const id = (e: Subscription) => of(e).id;

// Square sends receipts and invoices itself.
const squareRules = rules(square, [
  {
    name: "customer",
    on: ["customer.created", "customer.updated"],
    when: (e) => Boolean(who(e).email_address),
    contact: { email: (e) => who(e).email_address },
    update: {
      squareCustomerId: (e) => who(e).id,
      firstName: { guess: (e) => clip(who(e).given_name) || undefined, from: "purchase" },
      lastName: { guess: (e) => clip(who(e).family_name) || undefined, from: "purchase" },
    },
  },
  {
    // Keeps the contact and its unsubscription. Merged profiles live on under another id.
    name: "customer deleted",
    on: "customer.deleted",
    when: (e) => !e.data.object.event_context?.merge,
    contact: (e) => customer(who(e).id),
    event: { name: "customerDeleted", onlyKnown: true },
  },
  {
    name: "subscription state",
    on: ["subscription.created", "subscription.updated"],
    contact: person,
    update: { squareCustomerId: (e) => of(e).customer_id },
    subscription: {
      id,
      customer: (e) => of(e).customer_id,
      status: (e) => (of(e).status === "PENDING" ? "future" : status(e)),
      startedAt: (e) => iso(of(e).created_at ?? of(e).start_date),
      update: {
        plan,
        subscriptionStatus: status,
        currentPeriodEnd: (e) => iso(of(e).charged_through_date),
        cancelAtPeriodEnd: isEnding,
      },
      state: { offer },
    },
  },
  {
    name: "subscription started",
    on: "subscription.created",
    when: isRunning,
    contact: person,
    event: { name: "subscriptionStarted", properties: { plan, status } },
  },
  {
    name: "pending subscription started",
    on: "subscription.updated",
    when: isRunning,
    ifStored: { id, is: { subscriptionStatus: "pending" } },
    contact: person,
    event: { name: "subscriptionStarted", properties: { plan, status } },
  },
  {
    name: "plan changed",
    on: "subscription.updated",
    when: isRunning,
    ifStored: { id, changed: { offer } },
    contact: person,
    event: { name: "planChanged", properties: { plan, previousPlan: { stored: "plan" } } },
  },
  {
    name: "cancel scheduled",
    on: "subscription.updated",
    when: isEnding,
    ifStored: { id, isNot: { cancelAtPeriodEnd: true } },
    contact: person,
    event: { name: "cancelScheduled", properties: { plan, endsAt: (e) => iso(of(e).canceled_date) } },
  },
  {
    name: "reactivated",
    on: "subscription.updated",
    when: (e) => isRunning(e) && !isEnding(e),
    ifStored: { id, is: { cancelAtPeriodEnd: true } },
    contact: person,
    event: { name: "reactivated", properties: { plan, renewsAt: (e) => iso(of(e).charged_through_date) } },
  },
  {
    name: "subscription paused",
    on: "subscription.updated",
    when: (e) => of(e).status === "PAUSED",
    ifStored: { id, isNot: { subscriptionStatus: "paused" } },
    contact: person,
    event: { name: "subscriptionPaused", properties: { plan } },
  },
  {
    name: "subscription resumed",
    on: "subscription.updated",
    when: isRunning,
    ifStored: { id, is: { subscriptionStatus: "paused" } },
    contact: person,
    event: { name: "subscriptionResumed", properties: { plan } },
  },
  {
    name: "subscription canceled",
    on: "subscription.updated",
    when: (e) => ENDED.includes(of(e).status),
    contact: person,
    event: { name: "subscriptionCanceled", properties: { plan, status } },
  },
]);

const DISPUTABLE = "400d";

const linksOf = (e: SquareEvent): readonly Link[] => {
  switch (e.type) {
    case "customer.created":
    case "customer.updated": {
      const { id: ref, email_address: email } = who(e);
      return email ? [{ ref, email }] : [];
    }
    case "payment.created":
    case "payment.updated": {
      const { id: ref, customer_id: to, buyer_email_address: email } = e.data.object.payment;
      const known = { ...(to ? { to } : {}), ...(email ? { email } : {}) };
      return to || email ? [{ ref, ...known, strength: "purchase", lifetime: DISPUTABLE }] : [];
    }
    case "invoice.payment_made":
    case "invoice.scheduled_charge_failed":
    case "invoice.published": {
      const { customer_id: ref, email_address: email } = e.data.object.invoice.primary_recipient ?? {};
      return ref && email ? [{ ref, email, strength: "document" }] : [];
    }
    default:
      return [];
  }
};

export default { ...joined(square, [squareRules, payments], linksOf), customerId: "squareCustomerId" };
