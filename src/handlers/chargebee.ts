import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Customer = {
  id: string;
  email?: string;
  first_name?: string;
  last_name?: string;
  billing_address?: { first_name?: string; last_name?: string };
  locale?: string;
  preferred_currency_code?: string;
  deleted?: boolean;
};
export type ChargebeeSubscription = {
  id: string;
  customer_id: string;
  status: "future" | "in_trial" | "active" | "non_renewing" | "paused" | "cancelled" | "transferred";
  plan_id?: string;
  subscription_items?: { item_price_id: string; item_type: string; quantity?: number; amount?: number }[];
  currency_code?: string;
  created_at?: number;
  trial_end?: number;
  current_term_end?: number;
  next_billing_at?: number;
  pause_date?: number;
  resume_date?: number;
  cancelled_at?: number;
  cancel_reason?: string;
  cancel_reason_code?: string;
};
export type ChargebeeInvoice = {
  id: string;
  customer_id: string;
  subscription_id?: string;
  status: "paid" | "posted" | "payment_due" | "not_paid" | "voided" | "pending";
  currency_code: string;
  total?: number;
  amount_due?: number;
  due_date?: number;
  next_retry_at?: number;
  dunning_attempts?: { attempt: number }[];
  line_items?: { entity_type?: string; entity_id?: string | null; description?: string }[];
};
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
type Expiry = { last4?: string; expiry_month?: number; expiry_year?: number };
export type ChargebeePaymentSource = {
  id: string;
  customer_id: string;
  type: string;
  status?: string;
  card?: Expiry & { brand?: string };
  bank_account?: { last4?: string; bank_name?: string };
};
type Named = { id: string; name?: string; external_name?: string; invoice_name?: string };
type Card = Expiry & { customer_id: string; card_type?: string };

export type ChargebeeContent = {
  customer?: Customer;
  subscription?: ChargebeeSubscription;
  invoice?: ChargebeeInvoice;
  transaction?: Transaction;
  card?: Card;
  payment_source?: ChargebeePaymentSource;
  item_price?: Named;
  plan?: Named;
};

/** Times are Unix seconds; amounts are minor units. */
export type ChargebeeEvent = {
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
    | "subscription_pause_scheduled"
    | "subscription_trial_end_reminder"
    | "subscription_trial_extended"
    | "subscription_renewal_reminder"
    | "payment_succeeded"
    | "payment_failed"
    | "payment_refunded"
    | "invoice_generated"
    | "invoice_updated"
    | "payment_due_reminder"
    | "card_expiry_reminder"
    | "card_expired"
    | "payment_source_added"
    | "payment_source_deleted"
    | "payment_source_expiring"
    | "payment_source_expired"
    | "item_price_created"
    | "item_price_updated"
    | "plan_created"
    | "plan_updated";
  id: string;
  event_type: string;
  occurred_at: number;
  content: ChargebeeContent;
};

/** `occurred_at` is in whole seconds; the event type orders states within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["customer_created", 1],
  ["customer_changed", 2],
  ["customer_deleted", 4],
  ["subscription_created", 1],
  ["subscription_started", 2],
  ["subscription_activated", 2],
  ["subscription_changed", 2],
  ["subscription_renewed", 2],
  ["subscription_trial_extended", 2],
  ["subscription_cancellation_scheduled", 3],
  ["subscription_scheduled_cancellation_removed", 3],
  ["subscription_reactivated", 3],
  ["subscription_paused", 3],
  ["subscription_resumed", 3],
  ["subscription_cancelled", 4],
]);

/**
 * Chargebee: Basic authentication, no signature.
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
