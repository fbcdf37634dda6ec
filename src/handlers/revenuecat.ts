import { timedHmac } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { textAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

type Common = {
  id: string;
  type: string;
  app_id?: string;
  event_timestamp_ms: number;
  environment?: string;
  subscriber_attributes?: Readonly<Record<string, { value: string; updated_at_ms: number }>>;
};

export type RevenueCatPurchase = Common & {
  app_user_id: string;
  original_app_user_id?: string;
  aliases?: string[];
  product_id?: string;
  /** All renewals of a subscription have the id of its first transaction. */
  original_transaction_id?: string | null;
  new_product_id?: string | null;
  period_type?: string | null;
  purchased_at_ms?: number | null;
  expiration_at_ms?: number | null;
  grace_period_expiration_at_ms?: number | null;
  auto_resume_at_ms?: number | null;
  is_trial_conversion?: boolean;
  price?: number | null;
  price_in_purchased_currency?: number | null;
  currency?: string | null;
  store?: string;
  cancel_reason?: string;
  expiration_reason?: string;
  product_display_name?: string | null;
};

/** A transfer of purchases between app user ids, without `app_user_id`. */
export type RevenueCatTransfer = Common & { transferred_from?: string[]; transferred_to?: string[]; store?: string };

/** Times are Unix milliseconds; `price` is in US dollars. */
export type RevenueCatEvent =
  | {
      type:
        | "TEST"
        | "INITIAL_PURCHASE"
        | "RENEWAL"
        | "CANCELLATION"
        | "UNCANCELLATION"
        | "NON_RENEWING_PURCHASE"
        | "SUBSCRIPTION_PAUSED"
        | "SUBSCRIPTION_EXTENDED"
        | "EXPIRATION"
        | "BILLING_ISSUE"
        | "PRODUCT_CHANGE"
        | "REFUND_REVERSED"
        | "INVOICE_ISSUANCE"
        | "TEMPORARY_ENTITLEMENT_GRANT"
        | "VIRTUAL_CURRENCY_TRANSACTION"
        | "EXPERIMENT_ENROLLMENT"
        | "SUBSCRIBER_ALIAS";
      api_version: string;
      event: RevenueCatPurchase;
    }
  | { type: "TRANSFER"; api_version: string; event: RevenueCatTransfer };

/**
 * RevenueCat: a shared `Authorization` value, or an HMAC-SHA256 in `X-RevenueCat-Webhook-Signature`. It accepts only
 * the answer 200.
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
    test: ({ event }) =>
      textAt(event, "type") === "TEST" ||
      ["environment", "purchase_environment"].some((path) => textAt(event, path)?.toUpperCase() === "SANDBOX"),
  }),
};
