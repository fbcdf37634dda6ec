import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type RazorpayPayment = {
  id: string;
  amount: number;
  currency: string;
  status: "created" | "authorized" | "captured" | "refunded" | "failed" | "pending";
  invoice_id?: string | null;
  amount_refunded?: number | null;
  refund_status?: "partial" | "full" | null;
  description?: string | null;
  email?: string | null;
  customer_id?: string | null;
  error_code?: string | null;
  error_description?: string | null;
  created_at: number;
};
export type RazorpaySubscription = {
  id: string;
  plan_id: string;
  customer_id?: string | null;
  customer_email?: string | null;
  status:
    | "created"
    | "authenticated"
    | "active"
    | "pending"
    | "halted"
    | "paused"
    | "cancelled"
    | "completed"
    | "expired";
  current_start?: number | null;
  current_end?: number | null;
  ended_at?: number | null;
  charge_at?: number | null;
  start_at?: number | null;
  paid_count?: number;
  created_at: number;
};
export type RazorpayInvoice = {
  id: string;
  invoice_number?: string | null;
  customer_id?: string | null;
  customer_details?: { id?: string | null; name?: string | null; email?: string | null } | null;
  subscription_id?: string | null;
  status: string;
  amount?: number | null;
  amount_paid?: number | null;
  amount_due?: number | null;
  currency: string;
  short_url?: string | null;
  paid_at?: number | null;
};
export type RazorpayRefund = { id: string; amount: number; currency: string; payment_id: string; status: string };
export type RazorpayDispute = {
  id: string;
  payment_id: string;
  amount: number;
  currency: string;
  reason_code?: string | null;
  respond_by?: number | null;
  status: string;
};
type PaymentLink = { id: string; customer?: { name?: string | null; email?: string | null } | null };

type Entity<T> = { entity: T };
type Event<Type extends string, Payload> = {
  type: Type;
  event: Type;
  account_id: string;
  contains: string[];
  created_at: number;
  payload: Payload;
};

/** Times are Unix seconds; amounts are minor units. */
export type RazorpayEvent =
  | Event<
      "payment.authorized" | "payment.captured" | "payment.failed" | "payment.pending",
      { payment: Entity<RazorpayPayment> }
    >
  | Event<"order.paid", { payment: Entity<RazorpayPayment>; order: Entity<{ id: string }> }>
  | Event<
      | "subscription.authenticated"
      | "subscription.activated"
      | "subscription.charged"
      | "subscription.pending"
      | "subscription.halted"
      | "subscription.updated"
      | "subscription.paused"
      | "subscription.resumed"
      | "subscription.cancelled"
      | "subscription.completed",
      { subscription: Entity<RazorpaySubscription>; payment?: Entity<RazorpayPayment> | null }
    >
  | Event<
      "invoice.paid" | "invoice.partially_paid" | "invoice.expired",
      { invoice: Entity<RazorpayInvoice>; payment?: Entity<RazorpayPayment> | null }
    >
  | Event<
      "refund.created" | "refund.processed" | "refund.failed" | "refund.speed_changed",
      { refund: Entity<RazorpayRefund>; payment: Entity<RazorpayPayment> }
    >
  | Event<
      | "payment.dispute.created"
      | "payment.dispute.under_review"
      | "payment.dispute.action_required"
      | "payment.dispute.won"
      | "payment.dispute.lost"
      | "payment.dispute.closed",
      { dispute: Entity<RazorpayDispute>; payment: Entity<RazorpayPayment> }
    >
  | Event<
      "payment_link.paid",
      { payment_link: Entity<PaymentLink>; payment: Entity<RazorpayPayment>; order?: Entity<{ id: string }> }
    >;

/** `created_at` is in whole seconds; the event type orders states within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["subscription.authenticated", 1],
  ["subscription.activated", 2],
  ["subscription.charged", 3],
  ["subscription.updated", 3],
  ["subscription.pending", 3],
  ["subscription.paused", 4],
  ["subscription.resumed", 4],
  ["subscription.halted", 4],
  ["subscription.cancelled", 5],
  ["subscription.completed", 5],
]);

/**
 * Razorpay: hex HMAC-SHA256 of the body in `X-Razorpay-Signature`. The id in `X-Razorpay-Event-Id` is unsigned.
 * @see https://razorpay.com/docs/webhooks/validate-test/
 */
export const razorpay: Handler<RazorpayEvent> = {
  provider: "razorpay",
  about: {
    title: "Razorpay",
    secret: "RAZORPAY_WEBHOOK_SECRET",
    setUp: "Account & Settings → Webhooks → webhook → Secret: yours to choose",
  },
  scheme: hmacOfBody("X-Razorpay-Signature"),
  freeSecret: true,
  read: readEvent({
    what: "a Razorpay event",
    unsignedId: { header: "X-Razorpay-Event-Id" },
    type: "event",
    time: [["created_at", "s"]],
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
