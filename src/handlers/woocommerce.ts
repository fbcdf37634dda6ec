import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { isoTime, listOf, textAt, valueAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

export type WooCommerceCustomer = {
  id: number;
  email?: string;
  first_name?: string;
  last_name?: string;
};
type LineItem = { id?: number; name: string; total?: string };
type Billing = { first_name?: string; last_name?: string; email?: string };
export type WooCommerceOrder = {
  id: number;
  number: string;
  status: string;
  currency: string;
  total: string;
  customer_id: number;
  billing: Billing;
  created_via?: string;
  date_created_gmt: string;
  date_modified_gmt?: string;
  date_paid_gmt?: string | null;
  line_items: LineItem[];
  refunds: { id: number; reason?: string; total: string }[];
};
/** Of the extension WooCommerce Subscriptions. */
export type WooCommerceSubscription = {
  id: number;
  status: "pending" | "active" | "on-hold" | "pending-cancel" | "cancelled" | "expired" | "switched";
  currency: string;
  total: string;
  customer_id: number;
  billing: Billing;
  date_created_gmt: string;
  date_modified_gmt?: string;
  trial_end_date_gmt?: string;
  next_payment_date_gmt?: string;
  end_date_gmt?: string;
  line_items: LineItem[];
};

/** Amounts are in major units; times are UTC without a zone. */
export type WooCommerceEvent =
  | ({ type: "customer.created" | "customer.updated" } & WooCommerceCustomer)
  | { type: "customer.deleted" | "order.deleted" | "subscription.deleted"; id: number }
  | ({ type: "order.created" | "order.updated" | "order.restored" } & WooCommerceOrder)
  | ({ type: "subscription.created" | "subscription.updated" } & WooCommerceSubscription);

const RANKS: ReadonlyMap<string, number> = new Map([
  ["created", 1],
  ["updated", 2],
  ["deleted", 3],
]);

/** An order that was paid and not refunded. */
export const isPaid = ({ date_paid_gmt, status, refunds }: WooCommerceOrder): boolean =>
  Boolean(date_paid_gmt) && (status === "processing" || status === "completed") && refunds.length === 0;

const ENDED = ["cancelled", "expired"];

/** Orders are told again with each note and step. A payment, refund or status of an order is one webhook. */
const idOf = (type: string, body: unknown): string | undefined => {
  const [id, status] = [textAt(body, "id"), textAt(body, "status")];
  if (/^order\.(created|updated)$/.test(type)) {
    const refunds = valueAt(body, "refunds") === undefined ? 0 : listOf(valueAt(body, "refunds")).length;
    const paid = refunds === 0 && isPaid({ ...Object(body), refunds: [] });
    return `order:${id}:${refunds > 0 ? `refunds ${refunds} ${status}` : paid ? "paid" : status}`;
  }
  return type === "subscription.updated" && ENDED.includes(status ?? "") ? `subscription:${id}:${status}` : undefined;
};

const read = readEvent<WooCommerceEvent>({
  what: "a WooCommerce webhook",
  unsignedId: { header: "X-WC-Webhook-Delivery-ID", withType: true },
  type: { header: "X-WC-Webhook-Topic" },
});

/** The topic is unsigned: an order must not be read as a subscription. Throws if it does not fit the body. */
const checkTopic = (type: string, body: unknown): void => {
  const isSubscription = valueAt(body, "billing_period") !== undefined;
  const isOrder = valueAt(body, "billing") !== undefined && valueAt(body, "line_items") !== undefined;
  const expected = isSubscription ? "subscription" : isOrder ? "order" : undefined;
  const [given = ""] = type.split(".");
  const fits = expected ? given === expected : type.endsWith(".deleted") || !["order", "subscription"].includes(given);
  if (!fits) throw new Error(`The body is not a WooCommerce webhook of the topic ${type}.`);
};

const timeOf = (body: unknown): number | undefined => {
  const time = textAt(body, "date_modified_gmt") ?? textAt(body, "date_created_gmt");
  return isoTime(time && `${time}Z`);
};

/**
 * WooCommerce: base64 HMAC-SHA256 of the body in `X-WC-Webhook-Signature`. Topic and id are unsigned. A new webhook
 * sends an unsigned ping, which needs the answer 200.
 * @see https://developer.woocommerce.com/docs/apis/rest-api/v3/webhooks
 */
export const wooCommerce: Handler<WooCommerceEvent> = {
  provider: "woocommerce",
  about: {
    title: "WooCommerce",
    secret: "WOOCOMMERCE_WEBHOOK_SECRET",
    setUp: "WooCommerce → Settings → Advanced → Webhooks → Secret: yours to choose",
  },
  scheme: hmacOfBody("X-WC-Webhook-Signature", { encoding: "base64" }),
  freeSecret: true,
  endpointCheck: {
    method: "POST",
    unsigned: true,
    answer: async ({ raw, headers }) =>
      /^webhook_id=\d+$/.test(raw) && !headers.has("X-WC-Webhook-Signature") ? { status: 200 } : undefined,
  },
  read: async (request, content, now) => {
    const { bodyDigest, ...envelope } = await read(request, content, now);
    checkTopic(envelope.type, content);
    const id = idOf(envelope.type, content);
    const occurredAt = timeOf(content) ?? now;
    return id ? { ...envelope, id, occurredAt } : { ...envelope, ...(bodyDigest ? { bodyDigest } : {}), occurredAt };
  },
  rank: (type) => RANKS.get(type.split(".")[1] ?? "") ?? 0,
};
