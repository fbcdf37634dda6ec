import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type Customer = { id: string; email?: string; first_name?: string; last_name?: string };
type Subscription = { id: string; customer_id: string; status: string; plan_id?: string; currency_code?: string };
type Invoice = { id: string; customer_id: string; status: string; currency_code: string; total: number };

/** An event; times in Unix seconds, amounts in minor units. */
export type ChargebeeEvent = {
  type:
    | "customer_created"
    | "customer_changed"
    | "customer_deleted"
    | "subscription_created"
    | "subscription_activated"
    | "subscription_changed"
    | "subscription_renewed"
    | "subscription_cancelled"
    | "subscription_cancellation_scheduled"
    | "subscription_reactivated"
    | "subscription_trial_end_reminder"
    | "payment_succeeded"
    | "payment_failed"
    | "payment_refunded"
    | "card_expiry_reminder"
    | "card_expired";
  id: string;
  event_type: string;
  occurred_at: number;
  content: { customer?: Customer; subscription?: Subscription; invoice?: Invoice };
};

/**
 * Chargebee signs nothing: Basic authentication with the user and password of the webhook.
 * @see https://www.chargebee.com/docs/2.0/webhook_settings.html
 */
export const chargebee: Handler<ChargebeeEvent> = {
  provider: "chargebee",
  about: {
    title: "Chargebee",
    secret: "CHARGEBEE_WEBHOOK_SECRET",
    setUp: "Settings → Configure Chargebee → Webhooks → Basic authentication: `user:password`, yours to choose",
  },
  scheme: { kind: "shared", basic: true },
  freeSecret: true,
  read: readEvent({ what: "a Chargebee event", id: "id", type: "event_type", time: [["occurred_at", "s"]] }),
};
