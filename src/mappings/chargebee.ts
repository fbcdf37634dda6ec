import { type ChargebeeContent, type ChargebeeSubscription, chargebee } from "../handlers/chargebee.ts";
import { majorUnits, money } from "../rules/billing/money.ts";
import { customer } from "../rules/people/customer.ts";
import { type Contact, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { locale } from "../rules/values/locale.ts";
import { seconds } from "../rules/values/seconds.ts";

type Event = { content: ChargebeeContent };

const customerId = ({ content }: Event) =>
  content.customer?.id ??
  content.subscription?.customer_id ??
  content.transaction?.customer_id ??
  content.card?.customer_id;

/** The contact: the customer's email address, or the customer id where there is none. */
const person = (e: Event): Contact =>
  e.content.customer?.email ? { email: e.content.customer.email } : customer(customerId(e));

/**
 * Id of the plan's price ("pro-USD-Monthly") on sites with items, else of the plan. Webhooks do not contain its name.
 */
const plan = ({ content: { subscription } }: Event) =>
  subscription?.subscription_items?.find(({ item_type }) => item_type === "plan")?.item_price_id ??
  subscription?.plan_id;

const periodEnd = (subscription: ChargebeeSubscription | undefined) =>
  seconds(subscription?.current_term_end ?? subscription?.trial_end);

// Amounts are in minor units; amounts in currencies without minor units are whole units.
// https://www.chargebee.com/docs/billing/2.0/kb/product-catalog/what-are-zero-decimal-currencies
const paid = ({ content: { transaction } }: Event) => transaction?.amount ?? 0;
const currency = ({ content: { transaction } }: Event) => transaction?.currency_code ?? "USD";
const payment = {
  amount: (e: Event) => money(paid(e), currency(e), locale(e.content.customer?.locale)),
  amountValue: (e: Event) => majorUnits(paid(e), currency(e)),
  currency,
};

// These rules send no mail: Chargebee sends receipts, reminders and dunning mail itself (Settings → Email
// Notifications). If you switch those off, add `transactional` to the rules that should send mail.
//
// `subscription_changed` does not contain the former state, so upgraded and downgraded are not derived. Chargebee has
// no webhook for pastDue and recovered, only payment_failed and payment_succeeded. Webhooks of a test site look like
// those of a live site: give the test site its own source in shadow mode.
export default rules(
  chargebee,
  [
    {
      name: "customer created",
      on: "customer_created",
      when: (e) => Boolean(e.content.customer?.email),
      contact: { email: (e) => e.content.customer?.email },
      update: {
        chargebeeCustomerId: (e) => e.content.customer?.id,
        firstName: (e) => clip(e.content.customer?.first_name) || undefined,
        lastName: (e) => clip(e.content.customer?.last_name) || undefined,
      },
    },
    {
      name: "customer changed",
      on: "customer_changed",
      when: (e) => Boolean(e.content.customer?.email),
      contact: { email: (e) => e.content.customer?.email },
      // Does not write the name: the person may have entered a better one elsewhere since.
      update: { chargebeeCustomerId: (e) => e.content.customer?.id },
    },
    {
      // Keeps the contact and with it the person's unsubscription. Add `remove: "unsubscribe"` to stop all campaigns to
      // it, or `remove: "delete"` to delete the contact.
      name: "customer deleted",
      on: "customer_deleted",
      contact: person,
      event: { name: "customerDeleted" },
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
      ],
      contact: person,
      update: { chargebeeCustomerId: customerId },
      subscription: {
        id: (e) => e.content.subscription?.id,
        status: (e) => e.content.subscription?.status,
        startedAt: (e) => seconds(e.content.subscription?.created_at),
        update: {
          plan: plan,
          subscriptionStatus: (e) => e.content.subscription?.status,
          currentPeriodEnd: (e) => periodEnd(e.content.subscription),
          cancelAtPeriodEnd: (e) => e.content.subscription?.status === "non_renewing",
          trialEndsAt: (e) => seconds(e.content.subscription?.trial_end),
        },
      },
    },
    {
      // A subscription with a later start is created as "future" and starts on its day. Either way it makes one event.
      name: "subscription started",
      on: ["subscription_created", "subscription_started"],
      when: (e) => e.content.subscription?.status !== "future",
      contact: person,
      event: {
        name: "subscriptionStarted",
        properties: { plan: plan, status: (e) => e.content.subscription?.status },
      },
    },
    {
      name: "subscription renewed",
      on: "subscription_renewed",
      contact: person,
      event: {
        name: "subscriptionRenewed",
        properties: { plan: plan, renewsAt: (e) => periodEnd(e.content.subscription) },
      },
    },
    {
      name: "cancel scheduled",
      on: "subscription_cancellation_scheduled",
      contact: person,
      event: {
        name: "cancelScheduled",
        properties: {
          plan: plan,
          endsAt: (e) => seconds(e.content.subscription?.cancelled_at) ?? periodEnd(e.content.subscription),
          reason: (e) => clip(e.content.subscription?.cancel_reason_code),
        },
      },
    },
    {
      // A cancellation that was withdrawn before the end, or a subscription reactivated after the end.
      name: "reactivated",
      on: ["subscription_scheduled_cancellation_removed", "subscription_reactivated"],
      contact: person,
      event: {
        name: "reactivated",
        properties: { plan: plan, renewsAt: (e) => periodEnd(e.content.subscription) },
      },
    },
    {
      name: "subscription canceled",
      on: "subscription_cancelled",
      contact: person,
      event: {
        name: "subscriptionCanceled",
        properties: {
          plan: plan,
          // Chargebee's own reason, such as "not_paid", or the reason code that the team chose.
          reason: (e) => clip(e.content.subscription?.cancel_reason ?? e.content.subscription?.cancel_reason_code),
        },
      },
    },
    {
      name: "subscription paused",
      on: "subscription_paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: { plan: plan } },
    },
    {
      name: "subscription resumed",
      on: "subscription_resumed",
      contact: person,
      event: { name: "subscriptionResumed", properties: { plan: plan } },
    },
    {
      name: "trial ending",
      on: "subscription_trial_end_reminder",
      contact: person,
      event: {
        name: "trialEnding",
        properties: { plan: plan, trialEndsAt: (e) => seconds(e.content.subscription?.trial_end) },
      },
    },
    {
      name: "invoice upcoming",
      on: "subscription_renewal_reminder",
      contact: person,
      event: {
        name: "invoiceUpcoming",
        properties: { plan: plan, chargesAt: (e) => seconds(e.content.subscription?.next_billing_at) },
      },
    },
    {
      // First payments and renewals: Chargebee has no webhook for a checkout.
      name: "invoice paid",
      on: "payment_succeeded",
      when: (e) => paid(e) > 0,
      contact: person,
      update: {
        chargebeeCustomerId: customerId,
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
        properties: { ...payment, reason: (e) => clip(e.content.transaction?.error_text) },
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
          expires: (e) =>
            e.content.card?.expiry_year &&
            `${String(e.content.card.expiry_month).padStart(2, "0")}/${e.content.card.expiry_year}`,
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
    const { id, email } = e.content.customer ?? {};
    return e.type !== "customer_deleted" && id && email ? [{ ref: id, email }] : [];
  },
);
