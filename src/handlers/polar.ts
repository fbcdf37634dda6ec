import { standard } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

export type PolarCustomer = {
  id: string;
  email?: string | null;
  email_verified?: boolean;
  external_id?: string | null;
  type?: string | null;
  name: string | null;
  locale?: string | null;
  deleted_at?: string | null;
};
type Event<Type extends string, Data> = { type: Type; timestamp: string; data: Data };
type SubscriptionBase = {
  id: string;
  created_at?: string;
  cancel_at_period_end: boolean;
  current_period_start?: string;
  current_period_end: string | null;
  trial_end?: string | null;
  started_at?: string | null;
  ended_at?: string | null;
};
export type PolarOrder = {
  id: string;
  status: string;
  created_at: string;
  customer_id: string;
  customer: PolarCustomer;
  currency: string;
  total_amount: number;
  refunded_amount: number;
  refunded_tax_amount: number;
  billing_reason: "purchase" | "subscription_create" | "subscription_cycle" | "subscription_update";
  invoice_number?: string | null;
  product: { id: string; name: string } | null;
  subscription?: SubscriptionBase | null;
};
export type PolarSubscription = SubscriptionBase & {
  status: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled" | "unpaid" | "paused";
  customer_id: string;
  customer: PolarCustomer;
  currency: string;
  amount: number;
  recurring_interval?: string;
  recurring_interval_count?: number;
  ends_at: string | null;
  pause_at_period_end?: boolean;
  resumes_at?: string | null;
  customer_cancellation_reason?: string | null;
  customer_cancellation_comment?: string | null;
  product: { id: string; name: string };
};
export type PolarCustomerState = PolarCustomer & {
  active_subscriptions: (SubscriptionBase & { status: "trialing" | "active"; product_id: string })[];
};
type PolarCheckout = {
  id: string;
  status: string;
  url: string;
  customer_id: string | null;
  customer_email: string | null;
  currency: string;
  total_amount: number;
  locale?: string | null;
  product: { id: string; name: string } | null;
};

/** `email` and `member`: the person on the seat. `customer_id`: the customer who pays. */
export type PolarSeat = {
  id: string;
  subscription_id?: string | null;
  order_id?: string | null;
  email?: string | null;
  customer_email?: string | null;
  member?: { id: string; email: string; name: string | null } | null;
};

/** Amounts are in minor units. */
export type PolarEvent =
  | Event<"product.created" | "product.updated", { id: string; name: string }>
  | Event<"customer.created" | "customer.updated" | "customer.deleted", PolarCustomer>
  | Event<"customer.state_changed", PolarCustomerState>
  | Event<"order.created" | "order.paid" | "order.updated" | "order.refunded", PolarOrder>
  | Event<"checkout.expired", PolarCheckout>
  | Event<"customer_seat.assigned" | "customer_seat.claimed" | "customer_seat.revoked", PolarSeat>
  | Event<
      | "subscription.created"
      | "subscription.active"
      | "subscription.updated"
      | "subscription.canceled"
      | "subscription.uncanceled"
      | "subscription.past_due"
      | "subscription.paused"
      | "subscription.resumed"
      | "subscription.revoked",
      PolarSubscription
    >;

/**
 * Polar: Standard Webhooks. Secrets before 2026-09-08 are plain keys, later ones base64 after `whsec_`; both are
 * tried.
 * @see https://polar.sh/docs/integrate/webhooks/delivery
 */
export const polar: Handler<PolarEvent> = {
  provider: "polar",
  about: { title: "Polar", secret: "POLAR_WEBHOOK_SECRET", setUp: "Settings → Webhooks → endpoint → Secret" },
  scheme: standard(["webhook"], ["base64", "text"]),
  read: readEvent({
    what: "a Polar event",
    id: { header: "webhook-id" },
    type: "type",
    time: [["timestamp", "iso"]],
  }),
};
