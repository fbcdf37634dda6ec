import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Customer = {
  id: string;
  email?: string;
  first_name?: string;
  last_name?: string;
  /** IETF tag, such as "en" or "fr-CA". */
  locale?: string;
  preferred_currency_code?: string;
};
export type ChargebeeSubscription = {
  id: string;
  customer_id: string;
  status: "future" | "in_trial" | "active" | "non_renewing" | "paused" | "cancelled" | "transferred";
  /** On sites with plans and addons; sites with items have `subscription_items` instead. */
  plan_id?: string;
  subscription_items?: { item_price_id: string; item_type: string; quantity?: number; amount?: number }[];
  currency_code?: string;
  created_at?: number;
  trial_end?: number;
  current_term_end?: number;
  next_billing_at?: number;
  cancelled_at?: number;
  cancel_reason?: string;
  cancel_reason_code?: string;
};
type Invoice = { id: string; customer_id: string; status: string; currency_code: string; total: number };
type Transaction = {
  id: string;
  customer_id?: string;
  subscription_id?: string;
  type: string;
  date?: number;
  currency_code: string;
  amount?: number;
  status?: string;
  error_text?: string;
};
type Card = { customer_id: string; card_type?: string; last4?: string; expiry_month?: number; expiry_year?: number };

/** The objects of an event; each event has some of them. */
export type ChargebeeContent = {
  customer?: Customer;
  subscription?: ChargebeeSubscription;
  invoice?: Invoice;
  transaction?: Transaction;
  card?: Card;
};

/** An event; times in Unix seconds, amounts in minor units. */
type ChargebeeEvent = {
  type:
    | "customer_created"
    | "customer_changed"
    | "customer_deleted"
    | "subscription_created"
    | "subscription_started"
    | "subscription_activated"
    | "subscription_changed"
    | "subscription_renewed"
    | "subscription_paused"
    | "subscription_resumed"
    | "subscription_cancelled"
    | "subscription_cancellation_scheduled"
    | "subscription_scheduled_cancellation_removed"
    | "subscription_reactivated"
    | "subscription_trial_end_reminder"
    | "subscription_renewal_reminder"
    | "payment_succeeded"
    | "payment_failed"
    | "payment_refunded"
    | "card_expiry_reminder"
    | "card_expired";
  id: string;
  event_type: string;
  occurred_at: number;
  content: ChargebeeContent;
};

/** `occurred_at` has whole seconds; the event type orders two states of one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["customer_created", 1],
  ["customer_changed", 2],
  ["customer_deleted", 4],
  ["subscription_created", 1],
  ["subscription_started", 2],
  ["subscription_activated", 2],
  ["subscription_changed", 2],
  ["subscription_renewed", 2],
  ["subscription_cancellation_scheduled", 3],
  ["subscription_scheduled_cancellation_removed", 3],
  ["subscription_reactivated", 3],
  ["subscription_paused", 3],
  ["subscription_resumed", 3],
  ["subscription_cancelled", 4],
]);

/**
 * Chargebee signs nothing: Basic authentication with the user and password of the webhook.
 * @see https://www.chargebee.com/docs/2.0/webhook_settings.html
 */
export const chargebee: Handler<ChargebeeEvent> = {
  provider: "chargebee",
  about: {
    title: "Chargebee",
    secret: "CHARGEBEE_WEBHOOK_SECRET",
    setUp: "Settings → Configure Chargebee → Webhooks → Basic authentication: `user:password`, yours to choose",
  },
  scheme: { kind: "shared", basic: true },
  freeSecret: true,
  read: readEvent({ what: "a Chargebee event", id: "id", type: "event_type", time: [["occurred_at", "s"]] }),
  rank: (type) => RANKS.get(type) ?? 0,
};
