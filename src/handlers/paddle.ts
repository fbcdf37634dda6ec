import { timedHmac } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

/** Your own data, as it was given to Paddle. */
type CustomData = Readonly<Record<string, unknown>> | null;
type Customer = {
  id: string;
  email: string;
  name: string | null;
  locale: string;
  status: string;
  custom_data: CustomData;
};
type Subscription = {
  id: string;
  status: "active" | "canceled" | "past_due" | "paused" | "trialing";
  customer_id: string;
  currency_code: string;
  next_billed_at: string | null;
  scheduled_change: { action: string; effective_at: string } | null;
  items: { status: string; quantity: number; price: { id: string; description: string; name: string | null } }[];
  custom_data: CustomData;
};
type Transaction = {
  id: string;
  status: string;
  customer_id: string | null;
  subscription_id: string | null;
  currency_code: string;
  details?: { totals: { total: string; grand_total: string; currency_code: string } };
  custom_data: CustomData;
};
type Event<Type extends string, Data> = {
  type: Type;
  event_id: string;
  event_type: Type;
  occurred_at: string;
  notification_id: string;
  data: Data;
};

/** The events rules are usually on. Amounts are texts in minor units. */
export type PaddleEvent =
  | Event<"customer.created" | "customer.updated", Customer>
  | Event<
      | "subscription.created"
      | "subscription.activated"
      | "subscription.updated"
      | "subscription.trialing"
      | "subscription.past_due"
      | "subscription.paused"
      | "subscription.resumed"
      | "subscription.canceled",
      Subscription
    >
  | Event<
      "transaction.created" | "transaction.completed" | "transaction.paid" | "transaction.payment_failed",
      Transaction
    >;

/**
 * Paddle Billing: `Paddle-Signature: ts=<Unix s>;h1=<hex>[;h1=…]`, an HMAC-SHA256 of `<ts>:<body>`, any of several h1
 * (rotation). Paddle's own libraries allow 5 s, which a request that waited in a queue does not make: 300 s here,
 * `tolerance` of a source to change it.
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
  read: readEvent({ what: "a Paddle event", id: "event_id", type: "event_type", time: [["occurred_at", "iso"]] }),
};
