import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

/** `amount`: a decimal string; `currency_code`: ISO 4217. */
export type ShopifyMoney = { amount: string; currency_code: string };
type Total = {
  currency: string;
  total_price?: string;
  /** One amount in the shop's and in the customer's currency. */
  total_price_set?: { shop_money: ShopifyMoney; presentment_money: ShopifyMoney };
};
/** A number beyond 2^53 is a text of digits. */
type Id = number | string;
type Customer = {
  id: Id;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  email_marketing_consent?: { state: string; opt_in_level: string | null; consent_updated_at: string | null } | null;
};
export type ShopifyOrder = Total & {
  id: Id;
  name: string;
  email: string | null;
  contact_email?: string | null;
  customer?: Customer | null;
  billing_address?: Pick<Customer, "first_name" | "last_name"> | null;
  customer_locale?: string | null;
  financial_status: string | null;
  processed_at?: string | null;
  created_at?: string;
  order_status_url?: string;
  cancel_reason?: string | null;
  fulfillments?: { tracking_company?: string | null; tracking_url?: string | null }[];
  test?: boolean;
};
export type ShopifyCheckout = {
  id: Id;
  email: string | null;
  buyer_accepts_marketing?: boolean;
  abandoned_checkout_url: string;
  completed_at: string | null;
  created_at?: string;
  customer_locale?: string | null;
  currency?: string;
  presentment_currency?: string;
  total_price?: string | null;
};
export type ShopifyRefund = {
  id: Id;
  order_id: Id;
  created_at?: string;
  transactions?: {
    kind: string;
    status: string;
    amount: string;
    currency: string;
    amount_set?: { shop_money: ShopifyMoney; presentment_money: ShopifyMoney } | null;
  }[];
};
/** A subscription of an app, without an address or product names. */
export type ShopifyContract = {
  id: Id;
  customer_id: Id;
  status: "active" | "paused" | "cancelled" | "expired" | "failed" | "stale";
  billing_policy?: { interval: "day" | "week" | "month" | "year"; interval_count: number };
  currency_code?: string;
  origin_order_id?: Id | null;
};
/** A Shopify Payments dispute without a customer. The event type replaces its `type` ("chargeback" or "inquiry"). */
export type ShopifyDispute = {
  id: Id;
  order_id: Id | null;
  amount: string;
  currency: string;
  reason: string;
  status: "needs_response" | "under_review" | "charge_refunded" | "accepted" | "won" | "lost";
  finalized_on?: string | null;
};
/** A GDPR request about a customer. */
type Privacy = { shop_domain: string; customer?: { id: Id; email?: string | null } };

/** Prices are strings in major units. */
type ShopifyEvent =
  | ({ type: "customers/create" | "customers/update" } & Customer)
  | { type: "customers/delete"; id: Id; email?: string | null }
  | ({ type: "customers/enable" | "customers/disable" } & Customer)
  | ({ type: "customers/data_request" | "customers/redact" } & Privacy)
  | { type: "shop/redact"; shop_domain: string }
  | ({
      type: "orders/create" | "orders/paid" | "orders/fulfilled" | "orders/cancelled" | "orders/updated";
    } & ShopifyOrder)
  | ({ type: "checkouts/create" | "checkouts/update" } & ShopifyCheckout)
  | ({ type: "refunds/create" } & ShopifyRefund)
  | ({ type: "disputes/create" | "disputes/update" } & ShopifyDispute)
  | ({
      type:
        | "subscription_contracts/create"
        | "subscription_contracts/update"
        | "subscription_contracts/activate"
        | "subscription_contracts/cancel"
        | "subscription_contracts/expire"
        | "subscription_contracts/fail"
        | "subscription_contracts/pause";
    } & ShopifyContract)
  | { type: "app/uninstalled"; id: Id; email: string | null };

const family = (prefix: "Shopify" | "X-Shopify") =>
  readEvent<ShopifyEvent>({
    what: "a Shopify webhook",
    // A paid order may come as orders/create and orders/paid with one body.
    unsignedId: { header: `${prefix}-Webhook-Id`, withType: true },
    type: { header: `${prefix}-Topic` },
    time: [
      [{ header: `${prefix}-Triggered-At` }, "iso"],
      ["updated_at", "iso"],
    ],
    test: ({ test }) => test === true,
  });

/** True for a test notification of the admin; its person is not real. */
const isTestNotification = (headers: Headers) =>
  ["Shopify-Test", "X-Shopify-Test"].some((name) => headers.get(name)?.toLowerCase() === "true");

// Headers are read from the set of the verified signature: with or without `X-`.
const read = { Shopify: family("Shopify"), "X-Shopify": family("X-Shopify") };

/**
 * Shopify: base64 HMAC-SHA256 in `X-Shopify-Hmac-SHA256`, without `X-` for newer apps. Topic, id and time are in
 * headers.
 * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
export const shopify: Handler<ShopifyEvent> = {
  provider: "shopify",
  about: {
    title: "Shopify",
    secret: "SHOPIFY_WEBHOOK_SECRET",
    setUp: "the app’s Client secret, or Settings → Notifications → Webhooks",
  },
  scheme: {
    kind: "first",
    of: [
      hmacOfBody("Shopify-Hmac-SHA256", { encoding: "base64" }),
      hmacOfBody("X-Shopify-Hmac-SHA256", { encoding: "base64" }),
    ],
  },
  read: async (request, content, now) => {
    const family = request.headers.has("Shopify-Hmac-SHA256") ? "Shopify" : "X-Shopify";
    const envelope = await read[family](request, content, now);
    return { ...envelope, test: envelope.test === true || isTestNotification(request.headers) };
  },
};
