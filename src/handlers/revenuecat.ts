import { timedHmac } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";
import { valueAt } from "./shape.ts";

/** An event; times in Unix milliseconds, `price` in US dollars. */
export type RevenueCatEvent = {
  type:
    | "TEST"
    | "INITIAL_PURCHASE"
    | "RENEWAL"
    | "CANCELLATION"
    | "UNCANCELLATION"
    | "NON_RENEWING_PURCHASE"
    | "SUBSCRIPTION_PAUSED"
    | "EXPIRATION"
    | "BILLING_ISSUE"
    | "PRODUCT_CHANGE"
    | "TRANSFER";
  api_version: string;
  event: {
    id: string;
    type: string;
    app_user_id: string;
    original_app_user_id?: string;
    aliases?: string[];
    event_timestamp_ms: number;
    product_id?: string;
    period_type?: string;
    expiration_at_ms?: number | null;
    environment?: string;
    price?: number | null;
    price_in_purchased_currency?: number | null;
    currency?: string | null;
    cancel_reason?: string;
    expiration_reason?: string;
    subscriber_attributes?: Readonly<Record<string, { value: string; updated_at_ms: number }>>;
  };
};

/**
 * RevenueCat: the value of `Authorization` as it was entered there, or, opted in, an HMAC-SHA256 in
 * `X-RevenueCat-Webhook-Signature` (known from receivers only). It wants exactly 200.
 * @see https://www.revenuecat.com/docs/integrations/webhooks
 */
export const revenueCat: Handler<RevenueCatEvent> = {
  provider: "revenuecat",
  about: {
    title: "RevenueCat",
    secret: "REVENUECAT_WEBHOOK_SECRET",
    setUp: "Integrations → Webhooks → Authorization header value: yours to choose",
  },
  scheme: {
    kind: "any",
    of: [{ kind: "shared", headers: [{ header: "Authorization" }] }, timedHmac("X-RevenueCat-Webhook-Signature")],
  },
  freeSecret: true,
  accepted: { status: 200 },
  read: readEvent({
    what: "a RevenueCat event",
    id: "event.id",
    type: "event.type",
    time: [["event.event_timestamp_ms", "ms"]],
    test: ({ event }) => ["SANDBOX", "sandbox"].includes(String(valueAt(event, "environment"))),
  }),
};
