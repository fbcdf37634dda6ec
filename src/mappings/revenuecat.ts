import { type RevenueCatPurchase, type RevenueCatTransfer, revenueCat } from "../handlers/revenuecat.ts";
import { EVERY } from "../rules/billing/standing.ts";
import { guessedName } from "../rules/people/name.ts";
import { type Contact, rules } from "../rules/types.ts";
import { changeOfPlan, named, names, product } from "./revenuecat/plans.ts";
import { isFree, isPaid, payment, purchase, refund, time } from "./revenuecat/price.ts";

type Event = { event: RevenueCatPurchase };

/** RevenueCat generates this id for a user who has not signed in. */
const known = (id: string | undefined) => (id && !id.startsWith("$RCAnonymousID:") ? id : undefined);

/**
 * Uses your user id alone. `$email` is unverified, so anyone can set any address. If your app verifies addresses,
 * enable the commented line.
 */
const person = ({ event }: { event: RevenueCatPurchase }): Contact => {
  // A purchase before sign-in has RevenueCat's id in `app_user_id`, and your user id beside it.
  const userId = [event.app_user_id, event.original_app_user_id, ...(event.aliases ?? [])].find(known);
  if (userId) return { userId };
  // if (event.subscriber_attributes?.$email?.value) return { email: event.subscriber_attributes.$email.value };
  return {};
};

/**
 * An entitlement granted by your team sends NON_RENEWING_PURCHASE and later EXPIRATION.
 * @see https://www.revenuecat.com/docs/dashboard-and-metrics/customer-history/promotionals
 */
const isGrant = ({ event }: Event) => event.store === "PROMOTIONAL";

const isOfUser = (e: Event) => Object.keys(person(e)).length > 0 && !isGrant(e);

const isTrial = ({ event }: Event) => event.period_type === "TRIAL";

const periodEnd = (e: Event) => time(e.event.expiration_at_ms);

/** RevenueCat has only the name that the app sets. */
const bought = {
  ...purchase,
  ...guessedName(({ event }: Event) => event.subscriber_attributes?.$displayName?.value, "purchase"),
};

/** The store's id survives renewals. Without one, the product is used. */
const id = ({ event }: Event) => event.original_transaction_id ?? event.product_id;

const status = (e: Event) => (isTrial(e) ? "trialing" : "active");

const running = {
  plan: product,
  subscriptionStatus: status,
  currentPeriodEnd: periodEnd,
  trialEndsAt: (e: Event) => (isTrial(e) ? periodEnd(e) : undefined),
};
const renews = { id, status, update: { ...running, cancelAtPeriodEnd: false } };
const unchanged = () => undefined;

const isBillingError = ({ event }: Event) => event.cancel_reason === "BILLING_ERROR";
const isRefund = ({ event }: Event) => event.cancel_reason === "CUSTOMER_SUPPORT";

const isPause = ({ event }: Event) => event.expiration_reason === "SUBSCRIPTION_PAUSED";

const first = (ids: RevenueCatTransfer["transferred_to"]) => ids?.find((id) => known(id));

// The app stores send receipts. Unmapped: EXPERIMENT_ENROLLMENT, SUBSCRIBER_ALIAS, TEST,
// VIRTUAL_CURRENCY_TRANSACTION, paywalls and funnels. PRODUCT_CHANGE has no price, so it makes planChanged.
const revenueCatRules = rules(
  revenueCat,
  [
    {
      name: "subscription started",
      on: "INITIAL_PURCHASE",
      when: isOfUser,
      contact: person,
      update: bought,
      subscription: renews,
      event: {
        name: "subscriptionStarted",
        properties: {
          ...named,
          status,
          store: (e) => e.event.store,
          ...payment,
        },
      },
    },
    {
      // Also sent when a person buys again after the end.
      name: "renewal",
      on: "RENEWAL",
      when: isOfUser,
      contact: person,
      update: bought,
      subscription: renews,
    },
    {
      name: "subscription renewed",
      on: "RENEWAL",
      when: (e) => isOfUser(e) && !isFree(e),
      contact: person,
      event: {
        name: "subscriptionRenewed",
        properties: { ...named, fromTrial: (e) => e.event.is_trial_conversion, ...payment },
      },
    },
    {
      name: "trial converted",
      on: "RENEWAL",
      when: (e) => isOfUser(e) && e.event.is_trial_conversion === true && !isFree(e),
      contact: person,
      event: { name: "trialConverted", properties: { ...named, renewsAt: periodEnd } },
    },
    {
      name: "checkout completed",
      on: "NON_RENEWING_PURCHASE",
      when: isOfUser,
      contact: person,
      update: bought,
      event: { name: "checkoutCompleted", properties: { product, productName: named.planName, ...payment } },
    },
    {
      name: "cancel scheduled",
      on: "CANCELLATION",
      when: (e) => isOfUser(e) && !isBillingError(e) && !isRefund(e),
      contact: person,
      subscription: { id, status: unchanged, update: { cancelAtPeriodEnd: true, currentPeriodEnd: periodEnd } },
      event: {
        name: "cancelScheduled",
        properties: { ...named, endsAt: periodEnd, reason: (e) => e.event.cancel_reason },
      },
    },
    {
      name: "refunded",
      on: "CANCELLATION",
      when: (e) => isOfUser(e) && isRefund(e),
      contact: person,
      event: {
        name: "refunded",
        properties: {
          ...named,
          ...refund,
        },
      },
    },
    {
      name: "refund reversed",
      on: "REFUND_REVERSED",
      when: isOfUser,
      contact: person,
      event: { name: "refundReversed", properties: { ...named, ...payment } },
    },
    {
      name: "reactivated",
      on: "UNCANCELLATION",
      when: isOfUser,
      contact: person,
      subscription: renews,
      event: { name: "reactivated", properties: { ...named, renewsAt: periodEnd } },
    },
    {
      name: "subscription canceled",
      on: "EXPIRATION",
      when: (e) => isOfUser(e) && !isPause(e),
      contact: person,
      subscription: {
        id,
        status: "canceled",
        update: { subscriptionStatus: "canceled", currentPeriodEnd: periodEnd },
      },
      event: {
        name: "subscriptionCanceled",
        properties: { ...named, reason: (e) => e.event.expiration_reason },
      },
    },
    {
      name: "subscription paused",
      on: "EXPIRATION",
      when: (e) => isOfUser(e) && isPause(e),
      contact: person,
      subscription: { id, status: "paused", update: { subscriptionStatus: "paused", currentPeriodEnd: periodEnd } },
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "payment failed",
      on: "BILLING_ISSUE",
      when: isOfUser,
      contact: person,
      subscription: { id, status: "past_due", update: { subscriptionStatus: "past_due" } },
      event: {
        name: "paymentFailed",
        properties: {
          ...named,
          // No amount: it is unconfirmed that `price` is the charge that failed.
          graceEndsAt: (e) => time(e.event.grace_period_expiration_at_ms),
          store: (e) => e.event.store,
        },
      },
    },
    {
      // Sent in advance: the subscription later expires with the reason SUBSCRIPTION_PAUSED.
      name: "pause scheduled",
      on: "SUBSCRIPTION_PAUSED",
      when: isOfUser,
      contact: person,
      event: {
        name: "pauseScheduled",
        properties: { ...named, pausesAt: periodEnd, resumesAt: (e) => time(e.event.auto_resume_at_ms) },
      },
    },
    {
      name: "subscription extended",
      on: "SUBSCRIPTION_EXTENDED",
      when: isOfUser,
      contact: person,
      subscription: { id, status: unchanged, update: { currentPeriodEnd: periodEnd } },
    },
    {
      name: "plan changed",
      on: "PRODUCT_CHANGE",
      when: isOfUser,
      contact: person,
      event: {
        name: "planChanged",
        properties: changeOfPlan,
      },
    },
    {
      name: "invoice finalized",
      on: "INVOICE_ISSUANCE",
      when: (e) => isOfUser(e) && isPaid(e),
      contact: person,
      event: { name: "invoiceFinalized", properties: { ...named, ...payment } },
    },
    // A TRANSFER lacks the purchases; the new owner's next event has them.
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
  // No links: `app_user_id` is your user id, and `$email` is not verified.
);

export default {
  ...revenueCatRules,
  names,
  // A grant of at most a day while the store is unavailable. The purchase or an EXPIRATION follows.
  instead: { TEMPORARY_ENTITLEMENT_GRANT: "INITIAL_PURCHASE" },
};
