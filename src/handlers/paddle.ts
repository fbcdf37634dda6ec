import { timedHmac } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type CustomData = Readonly<Record<string, unknown>> | null;
type Customer = {
  id: string;
  email: string;
  name: string | null;
  locale: string;
  marketing_consent: boolean;
  status: "active" | "archived";
  custom_data: CustomData;
};
type Period = { starts_at: string; ends_at: string };
export type PaddleItem = {
  /** An inactive item is not billed. */
  status: string;
  quantity: number;
  /** False for a one-time charge. */
  recurring?: boolean;
  created_at?: string;
  trial_dates?: Period | null;
  price?: {
    id: string;
    product_id?: string;
    description: string;
    name?: string | null;
    unit_price?: { amount: string; currency_code: string } | null;
    billing_cycle?: { interval: string; frequency: number } | null;
  } | null;
  product?: { id: string; name: string } | null;
};
export type PaddleSubscription = {
  id: string;
  status: "active" | "canceled" | "past_due" | "paused" | "trialing";
  customer_id: string;
  currency_code: string;
  created_at?: string;
  started_at?: string | null;
  first_billed_at?: string | null;
  next_billed_at: string | null;
  current_billing_period?: Period | null;
  scheduled_change?: {
    action: "cancel" | "pause" | "resume";
    effective_at: string;
    resume_at?: string | null;
  } | null;
  items: PaddleItem[];
  custom_data: CustomData;
};
export type PaddleTransaction = {
  id: string;
  status: string;
  origin?:
    | "api"
    | "subscription_charge"
    | "subscription_payment_method_change"
    | "subscription_recurring"
    | "subscription_update"
    | "web";
  collection_mode: "automatic" | "manual";
  customer_id: string | null;
  subscription_id: string | null;
  currency_code: string;
  billed_at: string | null;
  invoice_number?: string | null;
  billing_details?: { payment_terms?: { interval: string; frequency: number } | null } | null;
  details?: {
    totals?: { total?: string; grand_total?: string; balance?: string; currency_code: string } | null;
  } | null;
  payments?: { status: string; error_code: string | null }[] | null;
  custom_data: CustomData;
};
export type PaddleAdjustment = {
  id: string;
  action:
    | "credit"
    | "credit_reverse"
    | "refund"
    | "chargeback"
    | "chargeback_reverse"
    | "chargeback_warning"
    | "chargeback_warning_reverse";
  type?: "full" | "partial" | null;
  status: "pending_approval" | "approved" | "rejected" | "reversed";
  customer_id: string;
  transaction_id: string;
  subscription_id: string | null;
  reason: string;
  currency_code: string;
  totals: { total: string; currency_code: string };
};
type Event<Type extends string, Data> = {
  type: Type;
  event_id: string;
  event_type: Type;
  occurred_at: string;
  notification_id: string;
  data: Data;
};

/** Amounts are strings in minor units. */
type PaddleEvent =
  | Event<"customer.created" | "customer.updated" | "customer.imported", Customer>
  | Event<
      | "subscription.created"
      | "subscription.imported"
      | "subscription.activated"
      | "subscription.updated"
      | "subscription.trialing"
      | "subscription.past_due"
      | "subscription.paused"
      | "subscription.resumed"
      | "subscription.canceled",
      PaddleSubscription
    >
  | Event<
      | "transaction.created"
      | "transaction.completed"
      | "transaction.paid"
      | "transaction.past_due"
      | "transaction.payment_failed",
      PaddleTransaction
    >
  | Event<"adjustment.created" | "adjustment.updated", PaddleAdjustment>;

/** The webhook simulator has ids of its own, also with a payload that names a real customer. */
const isSimulated = ({ event_id, notification_id }: Readonly<Record<string, unknown>>) =>
  [event_id, notification_id].some((id) => typeof id === "string" && id.startsWith("ntfsim"));

/**
 * Paddle Billing: `ts=<Unix s>;h1=<hex>[;h1=…]`, an HMAC-SHA256 of `<ts>:<body>`. Tolerance is 300 s, for queued
 * requests.
 * @see https://developer.paddle.com/webhooks/signature-verification
 */
export const paddle: Handler<PaddleEvent> = {
  provider: "paddle",
  about: {
    title: "Paddle",
    secret: "PADDLE_WEBHOOK_SECRET",
    setUp: "Developer tools → Notifications → destination → Secret key",
  },
  scheme: timedHmac("Paddle-Signature", "s", { names: ["ts", "h1"], separator: ";", content: ["{timestamp}:{body}"] }),
  read: readEvent({
    what: "a Paddle event",
    id: "event_id",
    type: "event_type",
    time: [["occurred_at", "iso"]],
    test: isSimulated,
  }),
};
