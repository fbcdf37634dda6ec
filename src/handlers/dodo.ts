import { standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type DodoCustomer = { customer_id: string; email: string; name?: string | null };
export type DodoSubscription = {
  subscription_id: string;
  product_id: string;
  status: "pending" | "active" | "on_hold" | "past_due" | "paused" | "cancelled" | "failed" | "expired";
  customer: DodoCustomer;
  created_at: string;
  previous_billing_date: string;
  next_billing_date: string;
  trial_period_days: number;
  cancel_at_next_billing_date: boolean;
  cancellation_feedback?: string | null;
  cancellation_comment?: string | null;
  past_due_ends_at?: string | null;
};
export type DodoPayment = {
  payment_id: string;
  customer: DodoCustomer;
  subscription_id?: string | null;
  total_amount: number;
  currency: string;
  created_at: string;
  invoice_url?: string | null;
  error_message?: string | null;
  is_update_payment_method?: boolean;
};
export type DodoRefund = {
  refund_id: string;
  payment_id: string;
  customer: DodoCustomer;
  amount?: number | null;
  currency?: string | null;
  is_partial: boolean;
  reason?: string | null;
};
export type DodoDispute = {
  dispute_id: string;
  customer: DodoCustomer;
  dispute_stage: string;
  dispute_status: string;
  reason?: string | null;
};
type LicenseKey = {
  id: string;
  customer_id: string;
  status: string;
  activations_limit?: number | null;
  expires_at?: string | null;
};
type AbandonedCheckout = { customer_id: string; payment_id: string; abandonment_reason: string };

type Event<Type extends string, Data> = { type: Type; business_id: string; timestamp: string; data: Data };

/** Amounts are minor units. `data` is as new as the attempt, and may be newer than `timestamp`. */
export type DodoEvent =
  | Event<
      | "subscription.active"
      | "subscription.renewed"
      | "subscription.updated"
      | "subscription.plan_changed"
      | "subscription.on_hold"
      | "subscription.past_due"
      | "subscription.paused"
      | "subscription.unpaused"
      | "subscription.cancelled"
      | "subscription.failed"
      | "subscription.expired",
      DodoSubscription
    >
  | Event<"payment.succeeded" | "payment.failed" | "payment.processing" | "payment.cancelled", DodoPayment>
  | Event<"refund.succeeded" | "refund.failed", DodoRefund>
  | Event<
      | "dispute.opened"
      | "dispute.challenged"
      | "dispute.won"
      | "dispute.lost"
      | "dispute.accepted"
      | "dispute.cancelled"
      | "dispute.expired",
      DodoDispute
    >
  | Event<"license_key.created", LicenseKey>
  | Event<"abandoned_checkout.detected", AbandonedCheckout>;

const RANKS: ReadonlyMap<string, number> = new Map([
  ["subscription.active", 1],
  ["subscription.renewed", 2],
  ["subscription.updated", 2],
  ["subscription.plan_changed", 2],
  ["subscription.on_hold", 3],
  ["subscription.past_due", 3],
  ["subscription.paused", 3],
  ["subscription.unpaused", 3],
  ["subscription.cancelled", 4],
  ["subscription.failed", 4],
  ["subscription.expired", 4],
]);

/**
 * Dodo Payments: Standard Webhooks.
 * @see https://docs.dodopayments.com/developer-resources/webhooks
 */
export const dodo: Handler<DodoEvent> = {
  provider: "dodo",
  about: {
    title: "Dodo Payments",
    secret: "DODO_WEBHOOK_SECRET",
    setUp: "Developer → Webhooks → endpoint → Signing Secret",
  },
  scheme: standard(["webhook"]),
  read: readEvent({
    what: "a Dodo Payments event",
    id: { header: "webhook-id" },
    type: "type",
    time: [["timestamp", "iso"]],
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
