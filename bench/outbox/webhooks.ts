import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signStandard, signStripe } from "../../scripts/samples/sign.ts";
import type { Wire } from "./load.ts";
import { SECRETS } from "./start.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of providers, changed at any depth
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

const seconds = () => Math.floor(Date.now() / 1000);

const stripe = async (path: string, body: Body, source = "stripe"): Promise<Wire> => {
  const text = JSON.stringify(body);
  const signature = await signStripe(SECRETS.STRIPE_WEBHOOK_SECRET, text, seconds());
  return wire(`${path}/${source}`, text, { "Stripe-Signature": signature });
};

const wire = (path: string, body: string, headers: Record<string, string>): Wire => {
  const lines = Object.entries({ Host: "bridge", "Content-Type": "application/json", ...headers });
  const length = Buffer.byteLength(body);
  const head = [...lines, ["Content-Length", length]].map(([name, value]) => `${name}: ${value}`).join("\r\n");
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
};

/** A signed Stripe renewal: one transactional delivery. */
export const renewal = (path: string, n = 0, source = "stripe"): Promise<Wire> => {
  const body = JSON.parse(STRIPE.paid) as Body;
  // An old receipt would be skipped.
  Object.assign(body, { id: id(), created: seconds() });
  const person = { customer: `cus_${n}`, customer_email: `person${n}@example.com` };
  Object.assign(body.data.object, { ...person, billing_reason: "subscription_cycle" });
  return stripe(path, body, source);
};

/** The delivery of test data is skipped, so it is settled at once. */
export const testRenewal = (path: string): Promise<Wire> => {
  const body = JSON.parse(STRIPE.paid) as Body;
  Object.assign(body, { id: id(), created: seconds(), livemode: false });
  return stripe(path, body);
};

/** A customer update of 2.5 kB. Its delivery is skipped in test mode. */
export const fullCustomerUpdate = (path: string, n: number, livemode = false): Promise<Wire> => {
  const body = JSON.parse(STRIPE.updated) as Body;
  Object.assign(body, { id: id(), livemode });
  const metadata = { notes: "x".repeat(1_500) };
  Object.assign(body.data.object, { id: `cus_${n}`, email: `person${n}@example.com`, metadata });
  return stripe(path, body);
};

/** A subscription update: one contact update, no event. */
export const subscriptionUpdate = (path: string, n: number): Promise<Wire> => {
  const body = JSON.parse(STRIPE.subscription) as Body;
  Object.assign(body, { id: id(), created: seconds() });
  Object.assign(body.data.object, { id: `sub_${n}`, customer: `cus_${n}` });
  return stripe(path, body);
};

/** A customer update: one contact update. */
export const customerUpdate = (path: string, n: number): Promise<Wire> => {
  const body = JSON.parse(STRIPE.updated) as Body;
  Object.assign(body, { id: id() });
  Object.assign(body.data.object, { id: `cus_${n}`, email: `person${n}@example.com` });
  return stripe(path, body);
};

/** A Supabase Auth sign-in mail: one urgent delivery. */
export const signIn = async (path: string, token: string): Promise<Wire> => {
  const body = JSON.parse(SUPABASE) as Body;
  const message = id();
  Object.assign(body.metadata, { uuid: message, time: new Date().toISOString() });
  Object.assign(body.email_data, { token_hash: token });
  const text = JSON.stringify(body);
  const headers = await signStandard("webhook", SECRETS.SUPABASE_HOOK_SECRET, message, text, seconds());
  return wire(`${path}/supabase`, text, headers);
};

export const several = async (count: number, make: (n: number) => Promise<Wire>): Promise<Wire[]> => {
  const made: Wire[] = [];
  for (let n = 0; n < count; n++) made.push(await make(n));
  return made;
};
