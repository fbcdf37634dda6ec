import { type RevenueCatPurchase, type RevenueCatTransfer, revenueCat } from "../handlers/revenuecat.ts";
import { decimal, moneyOf } from "../rules/billing/decimal.ts";
import { type Contact, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { seconds } from "../rules/values/seconds.ts";

type Event = { event: RevenueCatPurchase };

/** RevenueCat makes up an id for whoever has not signed in: nobody's user id. */
const known = (id: string | undefined) => (id && !id.startsWith("$RCAnonymousID:") ? id : undefined);

/**
 * By your user id alone: your sign-up tells whose it is. `$email` is what the app on the person's device wrote, and anybody
 * can make it write any address, so it is never given beside a user id. If your app proves addresses before it sets them,
 * take in the line that is commented out: whoever has not signed in then goes by the address.
 */
const person = ({ event }: { event: RevenueCatPurchase }): Contact => {
  const userId = known(event.app_user_id);
  if (userId) return { userId };
  // if (event.subscriber_attributes?.$email?.value) return { email: event.subscriber_attributes.$email.value };
  return {};
};

/** Without an id of yours there is nobody to write to. */
const isSomebody = (e: Event) => Object.keys(person(e)).length > 0;

const time = (milliseconds: number | null | undefined) =>
  typeof milliseconds === "number" ? seconds(milliseconds / 1000) : milliseconds;

/** `price` is in US dollars whatever was paid; what the person paid is in the currency of the store. Major units. */
const paid = ({ event }: Event) => event.price_in_purchased_currency ?? event.price ?? 0;
const currency = ({ event }: Event) => (event.price_in_purchased_currency == null ? "USD" : (event.currency ?? "USD"));
const isPaid = (e: Event) => paid(e) > 0;

// No webhook has a locale, so amounts are in en-US.
const payment = {
  amount: (e: Event) => moneyOf(paid(e), currency(e)),
  amountValue: (e: Event) => decimal(paid(e)),
  currency,
};

const purchase = {
  lastPurchaseAt: (e: Event) => (isPaid(e) ? time(e.event.purchased_at_ms ?? e.event.event_timestamp_ms) : undefined),
  lastPurchaseAmount: (e: Event) => (isPaid(e) ? decimal(paid(e)) : undefined),
};

const isTrial = ({ event }: Event) => event.period_type === "TRIAL";

const product = (e: Event) => clip(e.event.product_id);
const periodEnd = (e: Event) => time(e.event.expiration_at_ms);

/** The state while it runs, in the words other providers use: RevenueCat has events and no status. */
const running = {
  plan: product,
  subscriptionStatus: (e: Event) => (isTrial(e) ? "trialing" : "active"),
  currentPeriodEnd: periodEnd,
  trialEndsAt: (e: Event) => (isTrial(e) ? periodEnd(e) : undefined),
};

/** Cancelled, yet nobody's wish: the payment failed (BILLING_ISSUE tells it), or it was refunded. */
const isBillingError = ({ event }: Event) => event.cancel_reason === "BILLING_ERROR";
const isRefund = ({ event }: Event) => event.cancel_reason === "CUSTOMER_SUPPORT";

const first = (ids: RevenueCatTransfer["transferred_to"]) => ids?.find((id) => known(id));

// No mail: the app stores send receipts themselves.
//
// PRODUCT_CHANGE has both products and no price, so it is planChanged, not upgraded or downgraded. A RENEWAL after a
// BILLING_ISSUE looks like any other, so there is no recovered; and no store announces the end of a trial (trialEnding).
export default rules(
  revenueCat,
  [
    {
      // Bought a subscription for the first time; with a trial nothing is paid yet.
      name: "subscription started",
      on: "INITIAL_PURCHASE",
      when: isSomebody,
      contact: person,
      update: { ...running, cancelAtPeriodEnd: false, ...purchase },
      event: {
        name: "subscriptionStarted",
        properties: {
          plan: product,
          status: running.subscriptionStatus,
          store: (e) => e.event.store,
          ...payment,
        },
      },
    },
    {
      // Also one who comes back after the end.
      name: "subscription renewed",
      on: "RENEWAL",
      when: isSomebody,
      contact: person,
      update: { ...running, cancelAtPeriodEnd: false, ...purchase },
      event: {
        name: "subscriptionRenewed",
        properties: { plan: product, fromTrial: (e) => e.event.is_trial_conversion, ...payment },
      },
    },
    {
      name: "checkout completed",
      on: "NON_RENEWING_PURCHASE",
      when: isSomebody,
      contact: person,
      update: purchase,
      event: { name: "checkoutCompleted", properties: { product, ...payment } },
    },
    {
      name: "cancel scheduled",
      on: "CANCELLATION",
      when: (e) => isSomebody(e) && !isBillingError(e) && !isRefund(e),
      contact: person,
      update: { cancelAtPeriodEnd: true, currentPeriodEnd: periodEnd },
      event: {
        name: "cancelScheduled",
        properties: { plan: product, endsAt: periodEnd, reason: (e) => e.event.cancel_reason },
      },
    },
    {
      // The store gave the money back: the price is negative. The subscription may still renew.
      name: "refunded",
      on: "CANCELLATION",
      when: (e) => isSomebody(e) && isRefund(e),
      contact: person,
      event: {
        name: "refunded",
        properties: {
          plan: product,
          amount: (e) => moneyOf(Math.abs(paid(e)), currency(e)),
          amountValue: (e) => Math.abs(paid(e)),
          currency,
        },
      },
    },
    {
      name: "reactivated",
      on: "UNCANCELLATION",
      when: isSomebody,
      contact: person,
      update: { ...running, cancelAtPeriodEnd: false },
      event: { name: "reactivated", properties: { plan: product, renewsAt: periodEnd } },
    },
    {
      name: "subscription canceled",
      on: "EXPIRATION",
      when: isSomebody,
      contact: person,
      update: { subscriptionStatus: "canceled", currentPeriodEnd: periodEnd },
      event: {
        name: "subscriptionCanceled",
        properties: { plan: product, reason: (e) => e.event.expiration_reason },
      },
    },
    {
      name: "payment failed",
      on: "BILLING_ISSUE",
      when: isSomebody,
      contact: person,
      update: { subscriptionStatus: "past_due" },
      event: {
        name: "paymentFailed",
        properties: {
          plan: product,
          // No amount: whether `price` is what was asked for here is unconfirmed.
          graceEndsAt: (e) => time(e.event.grace_period_expiration_at_ms),
          store: (e) => e.event.store,
        },
      },
    },
    {
      // Announced ahead: it runs on until the end of the period, and then expires with the reason SUBSCRIPTION_PAUSED.
      name: "pause scheduled",
      on: "SUBSCRIPTION_PAUSED",
      when: isSomebody,
      contact: person,
      event: {
        name: "pauseScheduled",
        properties: { plan: product, pausesAt: periodEnd, resumesAt: (e) => time(e.event.auto_resume_at_ms) },
      },
    },
    {
      name: "subscription extended",
      on: "SUBSCRIPTION_EXTENDED",
      when: isSomebody,
      contact: person,
      update: { currentPeriodEnd: periodEnd },
    },
    {
      // The product on the contact stays until the store has carried it out, which a RENEWAL says.
      name: "plan changed",
      on: "PRODUCT_CHANGE",
      when: isSomebody,
      contact: person,
      event: {
        name: "planChanged",
        properties: { previousPlan: product, plan: (e) => clip(e.event.new_product_id) },
      },
    },
    // A TRANSFER tells who has the purchases now and not what they are: the next event of the person says that. Whoever had
    // them has none left.
    {
      name: "purchases received",
      on: "TRANSFER",
      when: (e) => first(e.event.transferred_to) !== undefined,
      contact: { userId: (e) => first(e.event.transferred_to) },
      event: { name: "purchasesTransferred" },
    },
    {
      name: "purchases given away",
      on: "TRANSFER",
      when: (e) => first(e.event.transferred_from) !== undefined,
      contact: { userId: (e) => first(e.event.transferred_from) },
      update: {
        plan: null,
        subscriptionStatus: null,
        currentPeriodEnd: null,
        cancelAtPeriodEnd: null,
        trialEndsAt: null,
      },
    },
  ],
  // No links: `app_user_id` is your user id, there is no other customer id, and `$email` is what an app says of a person.
);
