import { type RevenueCatPurchase, type RevenueCatTransfer, revenueCat } from "../handlers/revenuecat.ts";
import { decimal, moneyOf } from "../rules/billing/decimal.ts";
import { EVERY } from "../rules/billing/standing.ts";
import { type Contact, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { seconds } from "../rules/values/seconds.ts";

type Event = { event: RevenueCatPurchase };

/** An id that RevenueCat generates for a user who has not signed in. It is not one of your user ids. */
const known = (id: string | undefined) => (id && !id.startsWith("$RCAnonymousID:") ? id : undefined);

/**
 * The contact: your user id alone, which your sign-up links to an address. `$email` is set by the app on the person's
 * device; anyone can make it any address, so it is never used together with a user id. If your app verifies addresses
 * before it sets them, enable the line in the comment: it uses the address of users who have not signed in.
 */
const person = ({ event }: { event: RevenueCatPurchase }): Contact => {
  // A purchase before the sign-in has RevenueCat's own id in `app_user_id`, and your user id beside it.
  const userId = [event.app_user_id, event.original_app_user_id, ...(event.aliases ?? [])].find(known);
  if (userId) return { userId };
  // if (event.subscriber_attributes?.$email?.value) return { email: event.subscriber_attributes.$email.value };
  return {};
};

/** True where the event has one of your user ids; without one there is no contact. */
const hasUserId = (e: Event) => Object.keys(person(e)).length > 0;

const time = (milliseconds: number | null | undefined) =>
  typeof milliseconds === "number" ? seconds(milliseconds / 1000) : milliseconds;

/** The price in the currency that the person paid in, in major units. (`price` is always in US dollars.) */
const paid = ({ event }: Event) => event.price_in_purchased_currency ?? event.price ?? 0;
const currency = ({ event }: Event) => (event.price_in_purchased_currency == null ? "USD" : (event.currency ?? "USD"));
const isPaid = (e: Event) => paid(e) > 0;

// Webhooks have no locale, so amounts are in en-US.
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

/** The store's id of a subscription stays the same when it renews. Without one, the product stands for it. */
const id = ({ event }: Event) => event.original_transaction_id ?? event.product_id;

/** The status of a running subscription, in other providers' words: RevenueCat has no status field. */
const status = (e: Event) => (isTrial(e) ? "trialing" : "active");

const running = {
  plan: product,
  subscriptionStatus: status,
  currentPeriodEnd: periodEnd,
  trialEndsAt: (e: Event) => (isTrial(e) ? periodEnd(e) : undefined),
};
const renews = { id, status, update: { ...running, cancelAtPeriodEnd: false } };
const unchanged = () => undefined;

/** Cancellations that the person did not choose: a failed payment (see BILLING_ISSUE) or a refund. */
const isBillingError = ({ event }: Event) => event.cancel_reason === "BILLING_ERROR";
const isRefund = ({ event }: Event) => event.cancel_reason === "CUSTOMER_SUPPORT";

const first = (ids: RevenueCatTransfer["transferred_to"]) => ids?.find((id) => known(id));

// These rules send no mail: the app stores send receipts themselves.
//
// PRODUCT_CHANGE has both products but no price, so it makes planChanged instead of upgraded or downgraded. A RENEWAL
// after a BILLING_ISSUE looks like any other, so recovered is not derived. No store announces the end of a trial, so
// there is no trialEnding.
export default rules(
  revenueCat,
  [
    {
      // The first purchase of a subscription; nothing is paid yet if it begins with a trial.
      name: "subscription started",
      on: "INITIAL_PURCHASE",
      when: hasUserId,
      contact: person,
      update: purchase,
      subscription: renews,
      event: {
        name: "subscriptionStarted",
        properties: {
          plan: product,
          status: status,
          store: (e) => e.event.store,
          ...payment,
        },
      },
    },
    {
      // Also sent when a person buys again after the end.
      name: "subscription renewed",
      on: "RENEWAL",
      when: hasUserId,
      contact: person,
      update: purchase,
      subscription: renews,
      event: {
        name: "subscriptionRenewed",
        properties: { plan: product, fromTrial: (e) => e.event.is_trial_conversion, ...payment },
      },
    },
    {
      name: "checkout completed",
      on: "NON_RENEWING_PURCHASE",
      when: hasUserId,
      contact: person,
      update: purchase,
      event: { name: "checkoutCompleted", properties: { product, ...payment } },
    },
    {
      name: "cancel scheduled",
      on: "CANCELLATION",
      when: (e) => hasUserId(e) && !isBillingError(e) && !isRefund(e),
      contact: person,
      subscription: { id, status: unchanged, update: { cancelAtPeriodEnd: true, currentPeriodEnd: periodEnd } },
      event: {
        name: "cancelScheduled",
        properties: { plan: product, endsAt: periodEnd, reason: (e) => e.event.cancel_reason },
      },
    },
    {
      // The store refunded: the price is negative. The subscription may still renew.
      name: "refunded",
      on: "CANCELLATION",
      when: (e) => hasUserId(e) && isRefund(e),
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
      // The store took a refund back: the person has paid after all.
      name: "refund reversed",
      on: "REFUND_REVERSED",
      when: hasUserId,
      contact: person,
      event: { name: "refundReversed", properties: { plan: product, ...payment } },
    },
    {
      name: "reactivated",
      on: "UNCANCELLATION",
      when: hasUserId,
      contact: person,
      subscription: renews,
      event: { name: "reactivated", properties: { plan: product, renewsAt: periodEnd } },
    },
    {
      name: "subscription canceled",
      on: "EXPIRATION",
      when: hasUserId,
      contact: person,
      subscription: {
        id,
        status: "canceled",
        update: { subscriptionStatus: "canceled", currentPeriodEnd: periodEnd },
      },
      event: {
        name: "subscriptionCanceled",
        properties: { plan: product, reason: (e) => e.event.expiration_reason },
      },
    },
    {
      name: "payment failed",
      on: "BILLING_ISSUE",
      when: hasUserId,
      contact: person,
      subscription: { id, status: "past_due", update: { subscriptionStatus: "past_due" } },
      event: {
        name: "paymentFailed",
        properties: {
          plan: product,
          // No amount: it is unconfirmed that `price` is the charge that failed.
          graceEndsAt: (e) => time(e.event.grace_period_expiration_at_ms),
          store: (e) => e.event.store,
        },
      },
    },
    {
      // Sent in advance: the subscription runs until the end of the period and then expires with the reason
      // SUBSCRIPTION_PAUSED.
      name: "pause scheduled",
      on: "SUBSCRIPTION_PAUSED",
      when: hasUserId,
      contact: person,
      event: {
        name: "pauseScheduled",
        properties: { plan: product, pausesAt: periodEnd, resumesAt: (e) => time(e.event.auto_resume_at_ms) },
      },
    },
    {
      name: "subscription extended",
      on: "SUBSCRIPTION_EXTENDED",
      when: hasUserId,
      contact: person,
      subscription: { id, status: unchanged, update: { currentPeriodEnd: periodEnd } },
    },
    {
      // The contact keeps the former product until a RENEWAL shows that the store made the change.
      name: "plan changed",
      on: "PRODUCT_CHANGE",
      when: hasUserId,
      contact: person,
      event: {
        name: "planChanged",
        properties: { previousPlan: product, plan: (e) => clip(e.event.new_product_id) },
      },
    },
    // A TRANSFER contains the new owner of the purchases but not the purchases; the new owner's next event does. The
    // former owner has none left.
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
      subscription: {
        id: EVERY,
        status: "transferred",
        update: {
          plan: null,
          subscriptionStatus: null,
          currentPeriodEnd: null,
          cancelAtPeriodEnd: null,
          trialEndsAt: null,
        },
      },
    },
  ],
  // No links: `app_user_id` is your user id, there is no other customer id, and `$email` is not verified.
);
