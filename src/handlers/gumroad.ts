import { readEvent } from "../lib/webhook/event.ts";
import { object } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

const WHAT = "a Gumroad ping";

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
  /** Minor units: `2900` is 29.00. */
  price?: string;
  currency?: string;
  product_name?: string;
  full_name?: string;
  recurrence?: string;
  /** `true` for each membership payment after the first. */
  is_recurring_charge?: string;
  refunded?: string;
  cancelled_at?: string;
  ended_at?: string;
  ended_reason?: string;
};

const form = {
  what: WHAT,
  type: "resource_name",
  // A plain ping is about a sale and may lack `resource_name`.
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
 * Gumroad: a secret in the URL, `/hooks/<source>/<secret>`, because nothing is signed. Keep the URL out of logs.
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
