import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import { sampleBody } from "../../scripts/samples/samples.ts";
import { secrets } from "./mailspan.ts";

// Webhooks as providers send them, each signed by the vendor's library.

// biome-ignore lint/suspicious/noExplicitAny: bodies of providers, read and changed at any depth
export type Json = any;
export type Signed = { payload: string; headers: Record<string, string> };

const stripe = new Stripe("sk_test_unused");

export const stripeHeader = (
  payload: string,
  options: { secret?: string; timestamp?: number } = {},
): Record<string, string> => {
  const header = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secrets.STRIPE_WEBHOOK_SECRET,
    ...options,
  });
  return { "Stripe-Signature": header };
};

let events = 0;
export const now = () => Math.floor(Date.now() / 1000);

/** A webhook as Stripe sends it, signed by Stripe's library. */
export const stripeWebhook = (type: string, change: (event: Json) => void = () => {}): Signed => {
  const event = sampleBody("stripe", type);
  Object.assign(event, { id: `evt_system_${++events}`, created: now() });
  change(event);
  const payload = JSON.stringify(event);
  return { payload, headers: stripeHeader(payload) };
};

/** Headers of Standard Webhooks. The second is read once: it may change while the body is signed. */
const signed = (
  prefix: string,
  library: { sign: (id: string, at: Date, payload: string) => string },
  id: string,
  payload: string,
): Signed => {
  const seconds = now();
  const signature = library.sign(id, new Date(seconds * 1000), payload);
  const headers = { id: id, timestamp: String(seconds), signature: signature };
  return {
    payload,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}-${name}`, value])),
  };
};

export const clerkWebhook = (change: (event: Json) => void = () => {}): Signed => {
  const event = sampleBody("clerk", "user.created");
  event.timestamp = Date.now();
  change(event);
  const payload = JSON.stringify(event);
  return signed("svix", new SvixWebhook(secrets.CLERK_WEBHOOK_SECRET), `msg_${++events}`, payload);
};

export const supabaseHook = (change: (hook: Json) => void = () => {}): Signed => {
  const hook = sampleBody("supabase", "send-email");
  Object.assign(hook.metadata as object, { uuid: crypto.randomUUID(), time: new Date().toISOString() });
  change(hook);
  const payload = JSON.stringify(hook);
  const secret = secrets.SUPABASE_HOOK_SECRET.replace("v1,whsec_", "");
  return signed("webhook", new StandardWebhook(secret), crypto.randomUUID(), payload);
};

export const genericWebhook = (event: object, id = `msg_${++events}`): Signed => {
  const payload = JSON.stringify({ timestamp: new Date().toISOString(), ...event });
  return signed("webhook", new StandardWebhook(secrets.GENERIC_WEBHOOK_SECRET), id, payload);
};
