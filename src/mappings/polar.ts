import { type PolarCustomerState, type PolarOrder, type PolarSubscription, polar } from "../handlers/polar.ts";
import { majorUnits, money } from "../rules/billing/money.ts";
import { customer } from "../rules/people/customer.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { type Contact, rules } from "../rules/types.ts";
import { clip, shortLink } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { locale } from "../rules/values/locale.ts";

type Of<Data> = { data: Data };

/** The contact: the customer's email address, or the customer id where there is none. */
const person = ({ data: { customer: who, customer_id } }: Of<PolarOrder | PolarSubscription>): Contact =>
  who.email ? { email: who.email } : customer(customer_id);

const plan = ({ data }: Of<PolarSubscription>) => clip(data.product.name);

/** The plan in an event, with the names of properties that all providers use. */
const named = { plan, planName: plan };

const moneyIn = (minor: number, { currency, customer: who }: PolarOrder) => money(minor, currency, locale(who.locale));
const totalValue = ({ data }: Of<PolarOrder>) => majorUnits(data.total_amount, data.currency);
const payment = {
  amount: ({ data }: Of<PolarOrder>) => moneyIn(data.total_amount, data),
  amountValue: totalValue,
  currency: ({ data }: Of<PolarOrder>) => data.currency,
};

/** Total refunded so far, with tax. An order does not list its refunds, so the amount of a single one is unknown. */
const refunded = (order: PolarOrder) => order.refunded_amount + order.refunded_tax_amount;

/**
 * True for a payment of a new period. A free renewal is none. An order of usage after the end has the same reason, and its
 * subscription has ended.
 */
const isRenewal = ({ billing_reason, total_amount, subscription }: PolarOrder) =>
  billing_reason === "subscription_cycle" && total_amount > 0 && !subscription?.ended_at;

/** True for the first payment after a trial: the period that it pays begins where the trial ends. */
const isAfterTrial = ({ subscription }: PolarOrder) => {
  const { trial_end, current_period_start } = subscription ?? {};
  return Boolean(trial_end && current_period_start) && iso(trial_end) === iso(current_period_start);
};

/** The best subscription of a customer: a paid one before a trial, then the one that runs longest. */
const best = ({ active_subscriptions: all = [] }: PolarCustomerState) =>
  all.toSorted(
    (a, b) =>
      Number(b.status === "active") - Number(a.status === "active") ||
      Date.parse(b.current_period_end ?? "") - Date.parse(a.current_period_end ?? ""),
  )[0];

// These rules send no mail: Polar is the merchant of record and sends receipts and reminders itself.
//
// A new subscription sends at least four webhooks: subscription.created, .active and .updated, order.created and .paid.
// `subscription.active` is also sent after a recovered payment, and `subscription.updated` for every change, without
// former values. Neither makes an event, so upgraded, downgraded, recovered and trialEnding are not derived.
const polarRules = rules(
  polar,
  [
    {
      name: "customer created",
      on: "customer.created",
      when: (e) => Boolean(e.data.email),
      contact: { email: (e) => e.data.email },
      update: {
        polarCustomerId: (e) => e.data.id,
        firstName: (e) => clip(firstName(e.data.name)),
        lastName: (e) => clip(lastName(e.data.name)),
      },
    },
    {
      name: "customer updated",
      on: "customer.updated",
      when: (e) => Boolean(e.data.email),
      contact: { email: (e) => e.data.email },
      // Does not write the name: the person may have entered a better one elsewhere since.
      update: { polarCustomerId: (e) => e.data.id },
    },
    {
      // Polar sends this one beside the webhooks of subscriptions. It names no product, so it writes no plan. Without an
      // active subscription it makes no call: `subscription.revoked` says which one ended and why.
      name: "customer state",
      on: "customer.state_changed",
      when: (e) => Boolean(e.data.email) && best(e.data) !== undefined,
      contact: { email: (e) => e.data.email },
      update: {
        polarCustomerId: (e) => e.data.id,
        subscriptionStatus: (e) => best(e.data)?.status,
        currentPeriodEnd: (e) => iso(best(e.data)?.current_period_end),
        cancelAtPeriodEnd: (e) => best(e.data)?.cancel_at_period_end,
        trialEndsAt: (e) => iso(best(e.data)?.trial_end),
      },
    },
    {
      // Keeps the contact and with it the person's unsubscription. Add `remove: "unsubscribe"` to stop all campaigns to
      // it, or `remove: "delete"` to delete the contact.
      name: "customer deleted",
      on: "customer.deleted",
      contact: (e) => (e.data.email ? { email: e.data.email } : customer(e.data.id)),
      event: { name: "customerDeleted" },
    },
    {
      name: "subscription state",
      on: [
        "subscription.created",
        "subscription.active",
        "subscription.updated",
        "subscription.canceled",
        "subscription.uncanceled",
        "subscription.past_due",
        "subscription.paused",
        "subscription.resumed",
        "subscription.revoked",
      ],
      contact: person,
      update: {
        polarCustomerId: (e) => e.data.customer_id,
        plan: plan,
        subscriptionStatus: (e) => e.data.status,
        currentPeriodEnd: (e) => iso(e.data.current_period_end),
        cancelAtPeriodEnd: (e) => e.data.cancel_at_period_end,
        trialEndsAt: (e) => iso(e.data.trial_end),
      },
    },
    {
      // The only webhook that a subscription sends exactly once. `status` may still be "incomplete".
      name: "subscription started",
      on: "subscription.created",
      contact: person,
      event: { name: "subscriptionStarted", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      // A subscription that is cancelled at once also sends `revoked`; the rule below handles it.
      name: "cancel scheduled",
      on: "subscription.canceled",
      when: (e) => e.data.cancel_at_period_end && !e.data.ended_at,
      contact: person,
      event: {
        name: "cancelScheduled",
        properties: {
          ...named,
          endsAt: (e) => iso(e.data.ends_at ?? e.data.current_period_end),
          reason: (e) => e.data.customer_cancellation_reason,
          comment: (e) => clip(e.data.customer_cancellation_comment),
        },
      },
    },
    {
      name: "reactivated",
      on: "subscription.uncanceled",
      contact: person,
      event: {
        name: "reactivated",
        properties: { ...named, renewsAt: (e) => iso(e.data.current_period_end) },
      },
    },
    {
      name: "past due",
      on: "subscription.past_due",
      contact: person,
      event: { name: "pastDue", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "subscription paused",
      on: "subscription.paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "subscription resumed",
      on: "subscription.resumed",
      contact: person,
      event: { name: "subscriptionResumed", properties: named },
    },
    {
      // Access ended: cancelled ("canceled"), or all attempts to collect the payment failed ("unpaid").
      name: "subscription canceled",
      on: "subscription.revoked",
      contact: person,
      event: { name: "subscriptionCanceled", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "purchase",
      on: "order.paid",
      when: (e) => e.data.total_amount > 0,
      contact: person,
      update: {
        polarCustomerId: (e) => e.data.customer_id,
        lastPurchaseAt: (e) => iso(e.data.created_at),
        lastPurchaseAmount: totalValue,
      },
    },
    {
      name: "checkout completed",
      on: "order.paid",
      when: (e) => e.data.billing_reason === "purchase" || e.data.billing_reason === "subscription_create",
      contact: person,
      event: {
        name: "checkoutCompleted",
        properties: {
          ...payment,
          mode: (e) => (e.data.billing_reason === "purchase" ? "payment" : "subscription"),
          product: (e) => clip(e.data.product?.name),
        },
      },
    },
    {
      name: "subscription renewed",
      on: "order.paid",
      when: (e) => isRenewal(e.data),
      contact: person,
      event: { name: "subscriptionRenewed", properties: payment },
    },
    {
      name: "trial converted",
      on: "order.paid",
      when: (e) => isRenewal(e.data) && isAfterTrial(e.data),
      contact: person,
      event: {
        name: "trialConverted",
        properties: {
          plan: (e) => clip(e.data.product?.name),
          planName: (e) => clip(e.data.product?.name),
          renewsAt: (e) => iso(e.data.subscription?.current_period_end),
        },
      },
    },
    {
      name: "refunded",
      on: "order.refunded",
      contact: person,
      event: {
        name: "refunded",
        properties: {
          totalRefunded: (e) => moneyIn(refunded(e.data), e.data),
          totalRefundedValue: (e) => majorUnits(refunded(e.data), e.data.currency),
          currency: (e) => e.data.currency,
          full: (e) => e.data.status === "refunded",
        },
      },
    },
    {
      // In many countries a mail about this is marketing: start one only for people who have agreed to it.
      name: "checkout abandoned",
      on: "checkout.expired",
      when: (e) => Boolean(e.data.customer_email),
      contact: { email: (e) => e.data.customer_email },
      event: {
        name: "checkoutAbandoned",
        properties: {
          amount: (e) => money(e.data.total_amount, e.data.currency, locale(e.data.locale)),
          amountValue: (e) => majorUnits(e.data.total_amount, e.data.currency),
          currency: (e) => e.data.currency,
          product: (e) => clip(e.data.product?.name),
          checkoutUrl: (e) => shortLink(e.data.url),
        },
      },
    },
  ],
  // `external_id` is your own id of the customer, but not a `userId` by default: Polar's checkout adapters take it from
  // the query (`customerExternalId`), and the address is typed into the checkout. If only your server sets the id, add
  // `userId: who.external_id ?? undefined` here and in `person`.
  (e) => {
    if (e.type === "checkout.expired" || e.type === "customer.deleted") return [];
    // Webhooks of types without rules come here too: a refund has the customer's id alone.
    const who = "customer_id" in e.data ? e.data.customer : e.data;
    return who?.email && !who.deleted_at ? [{ ref: who.id, email: who.email }] : [];
  },
);

export default {
  ...polarRules,
  // Polar sends each of these beside the other one. A rule on both would act twice.
  instead: { "refund.created": "order.refunded", "refund.updated": "order.refunded" },
};
