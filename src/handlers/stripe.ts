import type Stripe from "stripe";
import { TOLERANCE_S, timedHmac } from "../lib/signature/schemes.ts";
import { isoTime, object, optionalText, text, unixTime } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";
import { stripeApi } from "./stripe/api.ts";
import { stripeThinEvents } from "./stripe/thin-events.ts";

const WHAT = "a Stripe event";
const TIME = {
  at: { header: "Stripe-Signature", separator: ",", name: "t" },
  unit: "s",
  tolerance: TOLERANCE_S,
  future: true,
} as const;

/** Stripe's `created` is in whole seconds; the event type orders states within one second. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ["created", 1],
  ["updated", 2],
  ["trial_will_end", 2],
  ["pending_update_applied", 2],
  ["paused", 3],
  ["resumed", 3],
  ["deleted", 4],
]);

/**
 * Stripe: `Stripe-Signature`. A thin event (`object: "v2.core.event"`) has the id of its snapshot event, so that the two
 * are one webhook.
 * @see https://docs.stripe.com/api/events/object
 */
export const stripe: Handler<Stripe.Event> = {
  provider: "stripe",
  about: {
    title: "Stripe",
    secret: "STRIPE_WEBHOOK_SECRET",
    setUp: "Developers → Webhooks → destination → Signing secret",
  },
  // Only v1 counts, the key includes `whsec_…`, and a future timestamp is accepted, as in stripe-node.
  scheme: timedHmac("Stripe-Signature", "s", { timestamp: TIME }),
  read: async (_request, json, now) => {
    const body = object(json, WHAT);
    if (body.object !== "event" && body.object !== "v2.core.event") {
      throw new Error(`The body is not ${WHAT}: object must be "event" or "v2.core.event".`);
    }
    const occurredAt = typeof body.created === "string" ? isoTime(body.created) : unixTime(body.created, 1000);
    return {
      id: optionalText(body, "snapshot_event") ?? text(body, "id", WHAT),
      type: text(body, "type", WHAT),
      occurredAt: occurredAt ?? now,
      body: json as Stripe.Event,
      test: body.livemode === false,
    };
  },
  rank: (type) => (type.startsWith("customer.") ? (RANKS.get(type.slice(type.lastIndexOf(".") + 1)) ?? 0) : 0),
  api: { ...stripeApi, thinEvents: stripeThinEvents },
};
