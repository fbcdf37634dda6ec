import {
  type LemonSqueezyInvoice,
  type LemonSqueezyOrder,
  type LemonSqueezySubscription,
  lemonSqueezy,
} from "../handlers/lemon-squeezy.ts";
import { majorUnits, money } from "../rules/billing/money.ts";
import { guessedName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip, shortLink } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";

type Of<Attributes> = { data: { id: string; attributes: Attributes } };
type Payment = LemonSqueezyOrder | LemonSqueezyInvoice;

const person = { email: (e: Of<{ user_email: string }>) => e.data.attributes.user_email };

const name = guessedName((e: Of<{ user_name: string }>) => e.data.attributes.user_name, "purchase");

const plan = ({ data: { attributes } }: Of<LemonSqueezySubscription>) =>
  clip(
    [attributes.product_name, attributes.variant_name].filter((name) => name && name !== "Default").join(" ") ||
      undefined,
  );

const named = { plan, planName: plan };

const id = (e: Of<LemonSqueezySubscription>) => e.data.id;

/** Ids, because a product may be renamed. Webhooks have no price. */
const offer = ({ data: { attributes } }: Of<LemonSqueezySubscription>) =>
  [attributes.product_id, attributes.variant_id].join(" ");

const changeOfPlan = { ...named, previousPlan: { stored: "plan" }, previousPlanName: { stored: "plan" } };

// Amounts are in cents. Whole units for currencies without cents are unconfirmed. Webhooks have no locale, so en-US.
const total = ({ data: { attributes } }: Of<Payment>) => money(attributes.total, attributes.currency);
const totalValue = ({ data: { attributes } }: Of<Payment>) => majorUnits(attributes.total, attributes.currency);
const currency = ({ data: { attributes } }: Of<Payment>) => attributes.currency;
const payment = { amount: total, amountValue: totalValue, currency };

/** Total refunded; the whole amount for a full refund without that field. Single refunds are unknown. */
const refunded = ({ data: { attributes } }: Of<Payment>) =>
  attributes.refunded_amount ?? (attributes.status === "refunded" ? attributes.total : undefined);
const refund = {
  totalRefunded: (e: Of<Payment>) => {
    const amount = refunded(e);
    return amount === undefined ? undefined : money(amount, currency(e));
  },
  totalRefundedValue: (e: Of<Payment>) => {
    const amount = refunded(e);
    return amount === undefined ? undefined : majorUnits(amount, currency(e));
  },
  currency,
  full: (e: Of<Payment>) => e.data.attributes.status === "refunded",
};

// Lemon Squeezy is the merchant of record and sends mail itself. A webhook lacks the former plan, so the stored state
// tells it.
const lemonSqueezyRules = rules(
  lemonSqueezy,
  [
    {
      name: "order",
      on: "order_created",
      when: (e) => e.data.attributes.status === "paid",
      contact: person,
      update: {
        lemonSqueezyCustomerId: (e) => String(e.data.attributes.customer_id),
        ...name,
        // The order of a trial is free and not a purchase yet.
        lastPurchaseAt: (e) => (e.data.attributes.total > 0 ? iso(e.data.attributes.created_at) : undefined),
        lastPurchaseAmount: (e) => (e.data.attributes.total > 0 ? totalValue(e) : undefined),
      },
      event: {
        name: "checkoutCompleted",
        properties: { ...payment, product: (e) => clip(e.data.attributes.first_order_item?.product_name) },
      },
    },
    {
      // Not the whole key: Lemon Squeezy mails it, and events are kept.
      name: "license key created",
      on: "license_key_created",
      contact: person,
      event: {
        name: "licenseKeyCreated",
        properties: {
          key: (e) => clip(e.data.attributes.key_short),
          activations: (e) => e.data.attributes.activation_limit,
          expiresAt: (e) => iso(e.data.attributes.expires_at),
        },
      },
    },
    {
      name: "license key updated",
      on: "license_key_updated",
      contact: person,
      event: {
        name: "licenseKeyUpdated",
        properties: {
          key: (e) => clip(e.data.attributes.key_short),
          status: (e) => e.data.attributes.status,
          expiresAt: (e) => iso(e.data.attributes.expires_at),
        },
      },
    },
    {
      name: "order refunded",
      on: "order_refunded",
      contact: person,
      event: { name: "refunded", properties: refund },
    },
    {
      // The first payment is its order. Unconfirmed: both webhooks may be sent.
      name: "subscription payment refunded",
      on: "subscription_payment_refunded",
      when: (e) => e.data.attributes.billing_reason !== "initial",
      contact: person,
      event: { name: "refunded", properties: refund },
    },
    {
      name: "subscription state",
      on: [
        "subscription_created",
        "subscription_updated",
        "subscription_plan_changed",
        "subscription_cancelled",
        "subscription_resumed",
        "subscription_expired",
        "subscription_paused",
        "subscription_unpaused",
      ],
      contact: person,
      update: { lemonSqueezyCustomerId: (e) => String(e.data.attributes.customer_id), ...name },
      subscription: {
        id,
        customer: (e) => String(e.data.attributes.customer_id),
        // A canceled subscription runs until `ends_at` and then expires.
        status: (e) => (e.data.attributes.status === "cancelled" ? "active" : e.data.attributes.status),
        startedAt: (e) => iso(e.data.attributes.created_at),
        update: {
          plan: plan,
          subscriptionStatus: (e) => e.data.attributes.status,
          // After a cancellation `ends_at` is the end of access, and `renews_at` has no meaning.
          currentPeriodEnd: (e) => iso(e.data.attributes.ends_at ?? e.data.attributes.renews_at),
          cancelAtPeriodEnd: (e) => e.data.attributes.cancelled,
          trialEndsAt: (e) => iso(e.data.attributes.trial_ends_at),
        },
        state: { offer },
      },
    },
    {
      name: "subscription started",
      on: "subscription_created",
      contact: person,
      event: {
        name: "subscriptionStarted",
        properties: { ...named, status: (e) => e.data.attributes.status },
      },
    },
    {
      name: "plan changed",
      on: "subscription_plan_changed",
      ifStored: { id, isNot: { offer } },
      contact: person,
      event: { name: "planChanged", properties: changeOfPlan },
    },
    {
      // Sent beside `subscription_plan_changed`, in any order, or where that is not enabled.
      name: "plan change seen",
      on: [
        "subscription_updated",
        "subscription_cancelled",
        "subscription_resumed",
        "subscription_paused",
        "subscription_unpaused",
      ],
      ifStored: { id, changed: { offer } },
      contact: person,
      event: { name: "planChanged", properties: changeOfPlan },
    },
    {
      name: "cancel scheduled",
      on: "subscription_cancelled",
      contact: person,
      event: { name: "cancelScheduled", properties: { ...named, endsAt: (e) => iso(e.data.attributes.ends_at) } },
    },
    {
      name: "reactivated",
      on: "subscription_resumed",
      contact: person,
      event: { name: "reactivated", properties: { ...named, renewsAt: (e) => iso(e.data.attributes.renews_at) } },
    },
    {
      name: "subscription canceled",
      on: "subscription_expired",
      contact: person,
      event: { name: "subscriptionCanceled", properties: named },
    },
    {
      name: "subscription paused",
      on: "subscription_paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "subscription resumed",
      on: "subscription_unpaused",
      contact: person,
      event: { name: "subscriptionResumed", properties: named },
    },
    {
      // The first payment is in the order. An immediately charged plan change counts as a payment.
      name: "subscription payment",
      on: "subscription_payment_success",
      when: (e) => e.data.attributes.billing_reason !== "initial" && e.data.attributes.total > 0,
      contact: person,
      update: {
        ...name,
        lastPurchaseAt: (e) => iso(e.data.attributes.created_at),
        lastPurchaseAmount: totalValue,
      },
    },
    {
      name: "subscription renewed",
      on: "subscription_payment_success",
      when: (e) => e.data.attributes.billing_reason === "renewal" && e.data.attributes.total > 0,
      contact: person,
      event: {
        name: "subscriptionRenewed",
        properties: { ...payment, invoiceUrl: (e) => shortLink(e.data.attributes.urls?.invoice_url) },
      },
    },
    {
      name: "payment failed",
      on: "subscription_payment_failed",
      contact: person,
      event: { name: "paymentFailed", properties: payment },
    },
    {
      name: "recovered",
      on: "subscription_payment_recovered",
      contact: person,
      event: { name: "recovered", properties: payment },
    },
    {
      name: "affiliate activated",
      on: "affiliate_activated",
      contact: person,
      event: { name: "affiliateActivated", properties: { domain: (e) => clip(e.data.attributes.share_domain) } },
    },
  ],
  // `meta.custom_data` is no link by default: it may come from the checkout's URL and name another person.
  (e) => {
    if (!("customer_id" in e.data.attributes)) return [];
    const { customer_id, user_email } = e.data.attributes;
    return customer_id && user_email ? [{ ref: String(customer_id), email: user_email }] : [];
  },
);

export default { ...lemonSqueezyRules, customerId: "lemonSqueezyCustomerId" };
