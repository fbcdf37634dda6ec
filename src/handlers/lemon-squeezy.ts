import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { valueAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

type Event<Type extends string, Attributes> = {
  type: Type;
  meta: { event_name: Type; test_mode?: boolean; custom_data?: Readonly<Record<string, string>> };
  data: { type: string; id: string; attributes: Attributes };
};
type Person = { user_name: string; user_email: string; customer_id: number; created_at: string; updated_at: string };
export type LemonSqueezyOrder = Person & {
  status: "pending" | "failed" | "paid" | "refunded" | "partial_refund" | "fraudulent";
  currency: string;
  total: number;
  total_formatted: string;
  refunded: boolean;
  refunded_amount?: number;
  refunded_at: string | null;
  first_order_item?: { product_name: string; variant_name: string } | null;
};
export type LemonSqueezySubscription = Person & {
  status: "on_trial" | "active" | "paused" | "past_due" | "unpaid" | "cancelled" | "expired";
  cancelled: boolean;
  product_id: number;
  variant_id: number;
  product_name: string;
  variant_name?: string | null;
  trial_ends_at: string | null;
  renews_at: string | null;
  ends_at: string | null;
};
export type LemonSqueezyInvoice = Person & {
  subscription_id: number;
  billing_reason: "initial" | "renewal" | "updated";
  currency: string;
  total: number;
  total_formatted: string;
  refunded_amount?: number;
  status: string;
  urls?: { invoice_url?: string | null };
};

type LicenseKey = Person & {
  key_short: string;
  status: "inactive" | "active" | "expired" | "disabled";
  activation_limit: number | null;
  expires_at: string | null;
};

type Affiliate = {
  user_name: string;
  user_email: string;
  status: "active" | "pending" | "disabled";
  share_domain: string | null;
  created_at: string;
  updated_at: string;
};

/** Amounts are in minor units. */
type LemonSqueezyEvent =
  | Event<"affiliate_activated", Affiliate>
  | Event<"order_created" | "order_refunded", LemonSqueezyOrder>
  | Event<"license_key_created" | "license_key_updated", LicenseKey>
  | Event<
      | "subscription_created"
      | "subscription_updated"
      | "subscription_plan_changed"
      | "subscription_cancelled"
      | "subscription_resumed"
      | "subscription_expired"
      | "subscription_paused"
      | "subscription_unpaused",
      LemonSqueezySubscription
    >
  | Event<
      | "subscription_payment_success"
      | "subscription_payment_failed"
      | "subscription_payment_recovered"
      | "subscription_payment_refunded",
      LemonSqueezyInvoice
    >;

/** Times are whole seconds; the event type orders states within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["subscription_created", 1],
  ["subscription_updated", 2],
  ["subscription_plan_changed", 2],
  ["subscription_cancelled", 3],
  ["subscription_resumed", 3],
  ["subscription_paused", 3],
  ["subscription_unpaused", 3],
  ["subscription_expired", 4],
]);

/**
 * Lemon Squeezy: hex HMAC-SHA256 in `X-Signature`. The id is made of event name, object and update time.
 * @see https://docs.lemonsqueezy.com/help/webhooks/signing-requests
 */
export const lemonSqueezy: Handler<LemonSqueezyEvent> = {
  provider: "lemonsqueezy",
  about: {
    title: "Lemon Squeezy",
    secret: "LEMONSQUEEZY_WEBHOOK_SECRET",
    setUp: "Settings → Webhooks → Signing secret: yours to choose",
  },
  scheme: hmacOfBody("X-Signature"),
  freeSecret: true,
  read: readEvent({
    what: "a Lemon Squeezy event",
    id: ["meta.event_name", "data.type", "data.id", "data.attributes.updated_at"],
    type: "meta.event_name",
    time: [["data.attributes.updated_at", "iso"]],
    // Some webhooks have the mark only on the object.
    test: ({ meta, data }) => (valueAt(meta, "test_mode") ?? valueAt(data, "attributes.test_mode")) === true,
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
