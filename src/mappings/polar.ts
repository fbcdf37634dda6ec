import { type PolarOrder, type PolarSubscription, polar } from "../handlers/polar.ts";
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

const moneyIn = (minor: number, { currency, customer: who }: PolarOrder) => money(minor, currency, locale(who.locale));
const totalValue = ({ data }: Of<PolarOrder>) => majorUnits(data.total_amount, data.currency);
const payment = {
  amount: ({ data }: Of<PolarOrder>) => moneyIn(data.total_amount, data),
  amountValue: totalValue,
  currency: ({ data }: Of<PolarOrder>) => data.currency,
};

/** Total refunded so far, with tax. An order does not list its refunds, so the amount of a single one is unknown. */
const refunded = (order: PolarOrder) => order.refunded_amount + order.refunded_tax_amount;

// These rules send no mail: Polar is the merchant of record and sends receipts and reminders itself.
//
// A new subscription sends at least four webhooks: subscription.created, .active and .updated, order.created and .paid.
// `subscription.active` is also sent after a recovered payment, and `subscription.updated` for every change, without
// former values. Neither makes an event, so upgraded, downgraded, recovered and trialEnding are not derived.
export default rules(
  polar,
  [
    {
      name: "customer created",
      on: "customer.created",
      when: (e) => Boolean(e.data.email),
      contact: { email: (e) => e.data.email },
      update: {
        polarCustomerId: (e) => e.data.id,
        firstName: { guess: (e) => clip(firstName(e.data.name)), from: "purchase" },
        lastName: { guess: (e) => clip(lastName(e.data.name)), from: "purchase" },
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
      update: { polarCustomerId: (e) => e.data.customer_id },
      subscription: {
        id: (e) => e.data.id,
        status: (e) => e.data.status,
        startedAt: (e) => iso(e.data.created_at),
        update: {
          plan: plan,
          subscriptionStatus: (e) => e.data.status,
          currentPeriodEnd: (e) => iso(e.data.current_period_end),
          cancelAtPeriodEnd: (e) => e.data.cancel_at_period_end,
          trialEndsAt: (e) => iso(e.data.trial_end),
        },
      },
    },
    {
      // The only webhook that a subscription sends exactly once. `status` may still be "incomplete".
      name: "subscription started",
      on: "subscription.created",
      contact: person,
      event: { name: "subscriptionStarted", properties: { plan: plan, status: (e) => e.data.status } },
    },
    {
      // A subscription that is cancelled at once also sends `revoked`; the rule below handles it.
      name: "cancel scheduled",
      on: "subscription.canceled",
      when: (e) => e.data.cancel_at_period_end && e.data.ended_at === null,
      contact: person,
      event: {
        name: "cancelScheduled",
        properties: {
          plan: plan,
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
        properties: { plan: plan, renewsAt: (e) => iso(e.data.current_period_end) },
      },
    },
    {
      name: "past due",
      on: "subscription.past_due",
      contact: person,
      event: { name: "pastDue", properties: { plan: plan, status: (e) => e.data.status } },
    },
    {
      name: "subscription paused",
      on: "subscription.paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: { plan: plan } },
    },
    {
      name: "subscription resumed",
      on: "subscription.resumed",
      contact: person,
      event: { name: "subscriptionResumed", properties: { plan: plan } },
    },
    {
      // Access ended: cancelled ("canceled"), or all attempts to collect the payment failed ("unpaid").
      name: "subscription canceled",
      on: "subscription.revoked",
      contact: person,
      event: { name: "subscriptionCanceled", properties: { plan: plan, status: (e) => e.data.status } },
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
      when: (e) => e.data.billing_reason === "subscription_cycle",
      contact: person,
      event: { name: "subscriptionRenewed", properties: payment },
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
    const who = "customer" in e.data ? e.data.customer : e.data;
    return who.email ? [{ ref: who.id, email: who.email }] : [];
  },
);
