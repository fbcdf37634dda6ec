import { readEvent } from "../lib/webhook/event.ts";
import { object } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Gumroad ping";

/** A ping: the fields of its form, all strings. */
export type GumroadEvent = {
  type:
    | "sale"
    | "refund"
    | "dispute"
    | "dispute_won"
    | "cancellation"
    | "subscription_updated"
    | "subscription_ended"
    | "subscription_restarted";
  seller_id: string;
  email?: string;
  user_email?: string;
  user_id?: string;
  purchaser_id?: string;
  sale_id?: string;
  subscription_id?: string;
  /** In minor units: `2900` is 29.00. */
  price?: string;
  currency?: string;
  product_name?: string;
  full_name?: string;
  /** Billing interval of a membership: `monthly`, `yearly` … */
  recurrence?: string;
  /** `true` for each payment of a membership after the first. */
  is_recurring_charge?: string;
  refunded?: string;
  cancelled_at?: string;
  ended_at?: string;
  /** Why the membership ended: `cancelled`, `failed_payment` or `fixed_subscription_period_ended`. */
  ended_reason?: string;
};

const form = {
  what: WHAT,
  type: "resource_name",
  // A plain ping, the oldest kind, is always about a sale and may lack `resource_name`.
  otherwise: "sale",
  time: [
    ["sale_timestamp", "iso"],
    ["created_at", "iso"],
    ["cancelled_at", "iso"],
    ["ended_at", "iso"],
  ],
  test: ({ test }: { test?: unknown }) => test === "true",
} as const;
const sale = readEvent<GumroadEvent>({ ...form, id: ["sale_id", "resource_name"] });
const subscription = readEvent<GumroadEvent>({ ...form, id: ["subscription_id", "resource_name"] });

/**
 * Gumroad neither signs nor sends custom headers: the only proof is a secret in the URL, `/hooks/<source>/<secret>`.
 * Make it long and random, and keep the URL out of logs. Retries have the same ids, and `retry_count`.
 * @see https://gumroad.com/ping
 */
export const gumroad: Handler<GumroadEvent> = {
  provider: "gumroad",
  about: {
    title: "Gumroad",
    secret: "GUMROAD_WEBHOOK_SECRET",
    setUp: "Settings → Advanced → Ping endpoint: `/hooks/gumroad/<secret>`, yours to choose",
  },
  scheme: { kind: "shared", path: true },
  freeSecret: true,
  format: "form",
  read: async (request, content, now) => {
    const { sale_id, subscription_id } = object(content, WHAT);
    return (sale_id === undefined && subscription_id !== undefined ? subscription : sale)(request, content, now);
  },
};
