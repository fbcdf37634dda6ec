import { hmacOfBody } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";
import { valueAt } from "./shape.ts";

type Event<Type extends string, Attributes> = {
  type: Type;
  meta: { event_name: Type; test_mode?: boolean; custom_data?: Readonly<Record<string, string>> };
  data: { type: string; id: string; attributes: Attributes };
};
type Person = { user_name: string; user_email: string; customer_id: number; created_at: string; updated_at: string };
type Order = Person & { status: string; currency: string; total: number; total_formatted: string; refunded: boolean };
type Subscription = Person & {
  status: string;
  product_name: string;
  variant_name: string;
  trial_ends_at: string | null;
  renews_at: string | null;
  ends_at: string | null;
};

/** The events rules are usually on. Amounts are in minor units. */
export type LemonSqueezyEvent =
  | Event<"order_created" | "order_refunded", Order>
  | Event<
      | "subscription_created"
      | "subscription_updated"
      | "subscription_cancelled"
      | "subscription_resumed"
      | "subscription_expired"
      | "subscription_paused"
      | "subscription_unpaused",
      Subscription
    >
  | Event<
      "subscription_payment_success" | "subscription_payment_failed" | "subscription_payment_recovered",
      Person & { subscription_id: number; currency: string; total: number; total_formatted: string; status: string }
    >;

/**
 * Lemon Squeezy: `X-Signature`, an HMAC-SHA256 of the body in hex. No id of the event is known, so it is made of what
 * changes with each: name, kind and id of the object, and when it was updated.
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
    test: ({ meta }) => valueAt(meta, "test_mode") === true,
  }),
};
