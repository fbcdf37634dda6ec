import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRETS } from "./start.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of other people's making, changed at depth
type Body = any;

const fixture = (path: string): string => readFileSync(join(import.meta.dirname, "../../test/fixtures", path), "utf8");
const STRIPE = {
  paid: fixture("stripe/invoice.paid.json"),
  updated: fixture("stripe/customer.updated.json"),
  subscription: fixture("stripe/customer.subscription.updated.metadata.json"),
};
const SUPABASE = fixture("supabase/send-email.json");

let events = 0;
const id = () => `evt_${Date.now().toString(36)}${(++events).toString(36).padStart(6, "0")}`;

const stripe = (path: string, body: Body): Buffer => {
  const text = JSON.stringify(body);
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", SECRETS.STRIPE_WEBHOOK_SECRET).update(`${t}.${text}`).digest("hex");
  return wire(`${path}/stripe`, text, { "Stripe-Signature": `t=${t},v1=${v1}` });
};

const wire = (path: string, body: string, headers: Record<string, string>): Buffer => {
  const lines = Object.entries({ Host: "bridge", "Content-Type": "application/json", ...headers });
  const length = Buffer.byteLength(body);
  const head = [...lines, ["Content-Length", length]].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
};

/** A renewal as Stripe sends it, signed: one transactional call. */
export const renewal = (path: string, email = "ada@example.com"): Buffer => {
  const body = JSON.parse(STRIPE.paid) as Body;
  Object.assign(body, { id: id() });
  Object.assign(body.data.object, { customer_email: email, billing_reason: "subscription_cycle" });
  return stripe(path, body);
};

/** A change of a subscription: one contact update of several properties, and no event. `n` tells people apart. */
export const subscriptionUpdate = (path: string, n: number): Buffer => {
  const body = JSON.parse(STRIPE.subscription) as Body;
  Object.assign(body, { id: id(), created: Math.floor(Date.now() / 1000) });
  Object.assign(body.data.object, { id: `sub_${n}`, customer: `cus_${n}` });
  return stripe(path, body);
};

/** A change of a customer: one contact update. `n` tells people apart. */
export const customerUpdate = (path: string, n: number): Buffer => {
  const body = JSON.parse(STRIPE.updated) as Body;
  Object.assign(body, { id: id() });
  Object.assign(body.data.object, { id: `cus_${n}`, email: `person${n}@example.com` });
  return stripe(path, body);
};

/** A sign-in mail as Supabase Auth asks for it: one urgent call. `token` is in its link. */
export const signIn = (path: string, token: string): Buffer => {
  const body = JSON.parse(SUPABASE) as Body;
  const message = id();
  Object.assign(body.metadata, { uuid: message, time: new Date().toISOString() });
  Object.assign(body.email_data, { token_hash: token });
  const text = JSON.stringify(body);
  const t = Math.floor(Date.now() / 1000);
  const key = Buffer.from(SECRETS.SUPABASE_HOOK_SECRET.replace("v1,whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${message}.${t}.${text}`).digest("base64");
  const headers = { "webhook-id": message, "webhook-timestamp": String(t), "webhook-signature": `v1,${signature}` };
  return wire(`${path}/supabase`, text, headers);
};
