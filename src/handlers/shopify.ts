import { hmacOfBody } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type Money = { currency: string; total_price: string };
type Customer = { id: number; email: string | null; first_name: string | null; last_name: string | null };

/** The topics rules are usually on, with a few fields of their resources. Prices are texts in major units. */
export type ShopifyEvent =
  | ({ type: "customers/create" | "customers/update" | "customers/delete" } & Customer)
  | ({
      type: "orders/create" | "orders/paid" | "orders/fulfilled" | "orders/cancelled" | "orders/updated";
      id: number;
      name: string;
      email: string | null;
      customer?: Customer | null;
      financial_status: string | null;
      test?: boolean;
    } & Money)
  | ({
      type: "checkouts/create" | "checkouts/update";
      id: number;
      email: string | null;
      abandoned_checkout_url: string;
      completed_at: string | null;
    } & Money)
  | { type: "refunds/create"; id: number; order_id: number }
  | { type: "app/uninstalled"; id: number; email: string | null };

const family = (prefix: "Shopify" | "X-Shopify") =>
  readEvent<ShopifyEvent>({
    what: "a Shopify webhook",
    id: { header: `${prefix}-Webhook-Id` },
    type: { header: `${prefix}-Topic` },
    time: [
      [{ header: `${prefix}-Triggered-At` }, "iso"],
      ["updated_at", "iso"],
    ],
    test: ({ test }) => test === true,
  });

// What is read stands beside the signature that was checked.
const read = { Shopify: family("Shopify"), "X-Shopify": family("X-Shopify") };

/**
 * Shopify: `X-Shopify-Hmac-SHA256`, an HMAC-SHA256 of the body in base64 by the app's client secret; newer apps get the
 * same without `X-`. The topic, the delivery's id and the time are in headers, the body is the bare resource.
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
  read: (request, content, now) =>
    read[request.headers.has("Shopify-Hmac-SHA256") ? "Shopify" : "X-Shopify"](request, content, now),
};
