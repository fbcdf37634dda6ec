import { type ChargebeeContent, type ChargebeeSubscription, chargebee } from "../handlers/chargebee.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { seconds } from "../rules/values/seconds.ts";
import { customerId, person, profile } from "./chargebee/customer.ts";
import invoices from "./chargebee/invoices.ts";
import { expiry, payment, total } from "./chargebee/payment.ts";
import paymentSources from "./chargebee/payment-sources.ts";
import { named, names, plan } from "./chargebee/plan.ts";

const periodEnd = (subscription: ChargebeeSubscription | undefined) =>
  seconds(subscription?.current_term_end ?? subscription?.trial_end);

const isUnpaid = ({ content: { invoice } }: { content: ChargebeeContent }) =>
  invoice !== undefined && (invoice.total === 0 || invoice.status === "payment_due" || invoice.status === "not_paid");

/** A trial keeps its status when its cancellation is scheduled. */
const endsWithPeriod = ({ content: { subscription } }: { content: ChargebeeContent }) =>
  subscription?.status === "non_renewing" ||
  (subscription?.status === "in_trial" && subscription.cancelled_at !== undefined);

// Chargebee sends its mail itself (Settings → Email Notifications). If you switch it off, add `transactional`. A test
// site needs a separate source with plan only, because its webhooks look live.
const chargebeeRules = rules(
  chargebee,
  [
    {
      name: "customer created",
      on: "customer_created",
      when: (e) => Boolean(e.content.customer?.email),
      contact: { email: (e) => e.content.customer?.email },
      update: profile,
    },
    {
      name: "customer changed",
      on: "customer_changed",
      when: (e) => Boolean(e.content.customer?.email),
      contact: { email: (e) => e.content.customer?.email },
      update: profile,
    },
    {
      // Keeps the contact and its unsubscription.
      name: "customer deleted",
      on: "customer_deleted",
      contact: person,
      event: { name: "customerDeleted", onlyKnown: true },
    },
    {
      name: "subscription state",
      on: [
        "subscription_created",
        "subscription_started",
        "subscription_activated",
        "subscription_changed",
        "subscription_renewed",
        "subscription_paused",
        "subscription_resumed",
        "subscription_cancelled",
        "subscription_cancellation_scheduled",
        "subscription_scheduled_cancellation_removed",
        "subscription_reactivated",
        "subscription_trial_end_reminder",
        "subscription_trial_extended",
      ],
      contact: person,
      update: profile,
      subscription: {
        id: (e) => e.content.subscription?.id,
        customer: customerId,
        status: (e) => e.content.subscription?.status,
        startedAt: (e) => seconds(e.content.subscription?.created_at),
        update: {
          plan: plan,
          subscriptionStatus: (e) => e.content.subscription?.status,
          currentPeriodEnd: (e) => periodEnd(e.content.subscription),
          cancelAtPeriodEnd: endsWithPeriod,
          trialEndsAt: (e) => seconds(e.content.subscription?.trial_end),
        },
      },
    },
    {
      // A later start is created as "future". Either way there is one event.
      name: "subscription started",
      on: ["subscription_created", "subscription_started"],
      when: (e) => e.content.subscription?.status !== "future",
      contact: person,
      event: {
        name: "subscriptionStarted",
        properties: { ...named, status: (e) => e.content.subscription?.status },
      },
    },
    {
      name: "trial converted",
      on: "subscription_activated",
      when: (e) => e.content.subscription?.status === "active",
      contact: person,
      event: {
        name: "trialConverted",
        properties: { ...named, renewsAt: (e) => periodEnd(e.content.subscription) },
      },
    },
    {
      name: "subscription renewed",
      on: "subscription_renewed",
      when: (e) => !isUnpaid(e),
      contact: person,
      event: {
        name: "subscriptionRenewed",
        properties: { ...named, ...total, renewsAt: (e) => periodEnd(e.content.subscription) },
      },
    },
    {
      name: "cancel scheduled",
      on: "subscription_cancellation_scheduled",
      contact: person,
      event: {
        name: "cancelScheduled",
        properties: {
          ...named,
          endsAt: (e) => seconds(e.content.subscription?.cancelled_at) ?? periodEnd(e.content.subscription),
          reason: (e) => clip(e.content.subscription?.cancel_reason_code),
        },
      },
    },
    {
      // A withdrawn cancellation, or a subscription reactivated after its end.
      name: "reactivated",
      on: ["subscription_scheduled_cancellation_removed", "subscription_reactivated"],
      contact: person,
      event: {
        name: "reactivated",
        properties: { ...named, renewsAt: (e) => periodEnd(e.content.subscription) },
      },
    },
    {
      name: "subscription canceled",
      on: "subscription_cancelled",
      contact: person,
      event: {
        name: "subscriptionCanceled",
        properties: {
          ...named,
          reason: (e) => clip(e.content.subscription?.cancel_reason ?? e.content.subscription?.cancel_reason_code),
        },
      },
    },
    {
      name: "pause scheduled",
      on: "subscription_pause_scheduled",
      contact: person,
      event: {
        name: "pauseScheduled",
        properties: {
          ...named,
          pausesAt: (e) => seconds(e.content.subscription?.pause_date),
          resumesAt: (e) => seconds(e.content.subscription?.resume_date),
        },
      },
    },
    {
      name: "subscription paused",
      on: "subscription_paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "subscription resumed",
      on: "subscription_resumed",
      contact: person,
      event: { name: "subscriptionResumed", properties: named },
    },
    {
      name: "trial ending",
      on: "subscription_trial_end_reminder",
      contact: person,
      event: {
        name: "trialEnding",
        properties: { ...named, trialEndsAt: (e) => seconds(e.content.subscription?.trial_end) },
      },
    },
    {
      name: "invoice upcoming",
      on: "subscription_renewal_reminder",
      contact: person,
      event: {
        name: "invoiceUpcoming",
        properties: { ...named, chargesAt: (e) => seconds(e.content.subscription?.next_billing_at) },
      },
    },
    {
      // First payments and renewals: Chargebee has no webhook for a checkout.
      name: "invoice paid",
      on: "payment_succeeded",
      when: (e) => (e.content.transaction?.amount ?? 0) > 0,
      contact: person,
      update: {
        ...profile,
        lastPurchaseAt: (e) => seconds(e.content.transaction?.date ?? e.occurred_at),
        lastPurchaseAmount: payment.amountValue,
      },
      event: { name: "invoicePaid", properties: payment },
    },
    {
      name: "payment failed",
      on: "payment_failed",
      contact: person,
      event: {
        name: "paymentFailed",
        properties: {
          ...payment,
          reason: (e) => clip(e.content.transaction?.error_text),
          attempt: (e) => e.content.invoice?.dunning_attempts?.length || undefined,
          nextAttemptAt: (e) => seconds(e.content.invoice?.next_retry_at),
        },
      },
    },
    {
      name: "refunded",
      on: "payment_refunded",
      contact: person,
      event: { name: "refunded", properties: payment },
    },
    {
      name: "card expiring",
      on: "card_expiry_reminder",
      contact: person,
      event: {
        name: "cardExpiring",
        properties: {
          brand: (e) => e.content.card?.card_type,
          last4: (e) => e.content.card?.last4,
          expires: (e) => expiry(e.content.card),
        },
      },
    },
    {
      name: "card expired",
      on: "card_expired",
      contact: person,
      event: {
        name: "cardExpired",
        properties: { brand: (e) => e.content.card?.card_type, last4: (e) => e.content.card?.last4 },
      },
    },
  ],
  (e) => {
    const { id, email, deleted } = e.content.customer ?? {};
    return e.type !== "customer_deleted" && !deleted && id && email ? [{ ref: id, email }] : [];
  },
);

export default {
  ...joined(chargebee, [chargebeeRules, invoices, paymentSources]),
  names,
  customerId: "chargebeeCustomerId",
};
