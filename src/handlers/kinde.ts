import { readEvent } from "../lib/webhook/event.ts";
import type { Handler } from "../webhook.ts";

type Event<Type extends string, Data> = {
  type: Type;
  event_id: string;
  event_timestamp?: string;
  timestamp: string;
  source: "user" | "admin" | "api";
  data: Data;
};
export type KindeUser = {
  id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone?: string | null;
  username?: string | null;
  is_suspended?: boolean;
};

/**
 * A billing customer. The fields are unconfirmed, because Kinde documents only event types.
 * @see https://docs.kinde.com/billing/manage-subscribers/manage-customer-activity-webhooks
 * @see https://github.com/sholajegede/convex-kinde-billing/blob/main/src/client/index.ts
 */
export type KindeBilling = {
  customer_id?: string;
  user_id?: string | null;
  org_code?: string | null;
  plan?: { code?: string; key?: string; name?: string };
};

type KindeEvent =
  | Event<"user.created" | "user.updated", { user: KindeUser }>
  | Event<"user.deleted" | "user.authenticated", { user: { id: string } }>
  | Event<"access_request.created", { access_request: { email: string; user_id?: string } }>
  | Event<"subscriber.created", { subscriber: { id?: string; email: string } }>
  | Event<
      | "customer.agreement_created"
      | "customer.agreement_cancelled"
      | "customer.plan_assigned"
      | "customer.plan_changed"
      | "customer.payment_succeeded"
      | "customer.payment_failed"
      | "customer.invoice_overdue",
      KindeBilling
    >
  | Event<
      "organization.created" | "organization.updated" | "organization.deleted",
      { organization: { code: string; name?: string } }
    >;

/** Times may be whole seconds; the rank orders events within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["user.created", 1],
  ["user.updated", 2],
  ["user.deleted", 3],
]);

/**
 * Kinde: a JWT body, with the Kinde domain as "secret". Kinde accepts only the answer 200.
 * @see https://docs.kinde.com/integrate/webhooks/about-webhooks/
 */
export const kinde: Handler<KindeEvent> = {
  provider: "kinde",
  about: {
    title: "Kinde",
    secret: "KINDE_DOMAIN",
    setUp: "Settings → Application: your domain, `https://<yours>.kinde.com`",
  },
  scheme: { kind: "jwt", at: "body", keys: { jwks: "https://{secret}/.well-known/jwks.json" } },
  format: "token",
  accepted: { status: 200 },
  read: readEvent({
    what: "a Kinde event",
    // Only the body's id is signed, so a replay with another `webhook-id` is a duplicate.
    id: "event_id",
    type: "type",
    time: [
      ["event_timestamp", "iso"],
      ["timestamp", "iso"],
    ],
  }),
  rank: (type) => RANKS.get(type) ?? 0,
};
