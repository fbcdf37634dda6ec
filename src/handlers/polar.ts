import { standard } from "../lib/signature/schemes.ts";
import type { Handler } from "../webhook.ts";
import { readEvent } from "./event.ts";

type Customer = { id: string; email: string; external_id: string | null; name: string | null };
type Event<Type extends string, Data> = { type: Type; timestamp: string; data: Data };

/** The events rules are usually on. Amounts are in minor units. */
export type PolarEvent =
  | Event<"customer.created" | "customer.updated" | "customer.deleted", Customer>
  | Event<
      "order.created" | "order.paid" | "order.updated" | "order.refunded",
      {
        id: string;
        status: string;
        customer_id: string;
        customer: Customer;
        currency: string;
        total_amount: number;
        billing_reason: string;
        product: { id: string; name: string } | null;
      }
    >
  | Event<
      | "subscription.created"
      | "subscription.active"
      | "subscription.updated"
      | "subscription.canceled"
      | "subscription.uncanceled"
      | "subscription.past_due"
      | "subscription.revoked",
      {
        id: string;
        status: string;
        customer_id: string;
        customer: Customer;
        currency: string;
        amount: number;
        cancel_at_period_end: boolean;
        current_period_end: string | null;
        product: { id: string; name: string };
      }
    >;

/**
 * Polar: Standard Webhooks with two kinds of secret. Those made before 2026-09-08 are the key as they stand, later ones
 * hold it in base64 after `whsec_`; nothing in a secret tells which, so both are tried, as Polar's own library does.
 * @see https://polar.sh/docs/integrate/webhooks/delivery
 */
export const polar: Handler<PolarEvent> = {
  provider: "polar",
  about: { title: "Polar", secret: "POLAR_WEBHOOK_SECRET", setUp: "Settings → Webhooks → endpoint → Secret" },
  scheme: standard(["webhook"], ["base64", "text"]),
  read: readEvent({
    what: "a Polar event",
    id: { header: "webhook-id" },
    type: "type",
    time: [["timestamp", "iso"]],
  }),
};
