import type Stripe from "stripe";
import { digest } from "../../lib/util/hmac.ts";
import type { Json } from "../../lib/util/json.ts";
import { type Api, type FetchBackApi, type FoundPerson, getObject, ProviderError } from "../../lib/webhook/provider.ts";
import { object, optionalObject, optionalText, text } from "../../lib/webhook/shape.ts";
import type { Envelope, ProviderApi } from "../../webhook.ts";

const PAYMENTS: readonly (readonly [prefix: string, path: string])[] = [
  ["ch_", "/v1/charges/"],
  ["py_", "/v1/charges/"],
  ["pi_", "/v1/payment_intents/"],
];

const PAGE = 100;
const PATHS: Readonly<Record<string, string>> = {
  products: "/v1/products?",
  customers: "/v1/customers?",
  subscriptions: "/v1/subscriptions?status=all&",
};
const ENDED: readonly unknown[] = ["canceled", "incomplete_expired"];

const findCustomer: FetchBackApi["find"] = async (ref, api, userIdField): Promise<FoundPerson> => {
  const customer = await getObject(api, `/v1/customers/${encodeURIComponent(ref)}`);
  if (customer === "not found") return { gone: "there is no such customer" };
  if (customer.id !== ref) throw new ProviderError("Its answer is not the customer.", 200);
  if (customer.deleted === true) return { gone: "the customer was deleted" };
  const email = optionalText(customer, "email")?.trim();
  const metadata = customer.metadata as Json | null | undefined;
  const userId = userIdField === undefined ? undefined : optionalText(metadata ?? {}, userIdField)?.trim();
  return { ...(email ? { email } : {}), ...(userId ? { userId } : {}) };
};

const findPayer = async (ref: string, path: string, api: Api, userIdField?: string): Promise<FoundPerson> => {
  const expand = path === "/v1/payment_intents/" ? "?expand[]=latest_charge" : "";
  const payment = await getObject(api, path + encodeURIComponent(ref) + expand);
  if (payment === "not found") return { gone: "there is no such payment" };
  if (payment.id !== ref) throw new ProviderError("Its answer is not the payment.", 200);
  const customer = optionalText(payment, "customer");
  if (customer !== undefined) return findCustomer(customer, api, userIdField);
  const charge = optionalObject(payment, "latest_charge") ?? payment;
  const given =
    optionalText(optionalObject(charge, "billing_details"), "email") ?? optionalText(payment, "receipt_email");
  const email = given?.trim();
  return email ? { email } : {};
};

/**
 * Requests to Stripe's API for people and backfills. A restricted key with read access is enough.
 * @see https://docs.stripe.com/api/customers/retrieve
 * @see https://docs.stripe.com/api/pagination
 */
export const stripeApi: ProviderApi = {
  baseUrl: "https://api.stripe.com",
  fetchBack: {
    find: async (ref, api, userIdField): Promise<FoundPerson> => {
      const path = PAYMENTS.find(([prefix]) => ref.startsWith(prefix))?.[1];
      return path === undefined ? findCustomer(ref, api, userIdField) : findPayer(ref, path, api, userIdField);
    },
  },
  backfill: {
    kinds: Object.keys(PATHS),
    page: async (kind, since, after, api) => {
      const query = new URLSearchParams({ limit: String(PAGE) });
      // A current subscription may be for a product of any age.
      if (since !== undefined && kind !== "products") query.set("created[gte]", String(Math.floor(since / 1000)));
      if (after !== undefined) query.set("starting_after", after);
      const list = await getObject(api, `${PATHS[kind]}${query}`);
      if (list === "not found" || !Array.isArray(list.data))
        throw new ProviderError(`It has no list of ${kind}. Check that the base URL is that of Stripe's API.`, 404);
      const objects: unknown[] = list.data;
      const last = objects.at(-1) as { id?: unknown } | undefined;
      return { objects, ...(list.has_more === true && typeof last?.id === "string" ? { next: last.id } : {}) };
    },
    envelope: async (given, now): Promise<Envelope<Stripe.Event>> => {
      const own = object(given, "a Stripe object");
      const id = text(own, "id", "a Stripe object");
      const { type, changed } = stateOf(own);
      const created = Math.max(0, ...changed.filter((time) => time * 1000 <= now));
      // A customer has only its creation time, so the id must include the content to show a change.
      const content = await digest(JSON.stringify(own));
      const event = { id: `backfill:${id}:${created}:${content.slice(0, 12)}`, object: "event", type, created };
      // No rule treats the webhook as a change, because it has no `previous_attributes`.
      const body = { ...event, livemode: own.livemode === true, data: { object: own }, request: null };
      return {
        id: event.id,
        type,
        occurredAt: created * 1000,
        test: own.livemode === false,
        body: body as unknown as Stripe.Event,
      };
    },
  },
};

/** `changed`: Unix seconds. */
const stateOf = (own: Json): { type: string; changed: number[] } => {
  const times = (from: Json, ...keys: string[]) =>
    keys.map((key) => from[key]).filter((time): time is number => typeof time === "number" && Number.isFinite(time));
  if (own.object === "customer" && own.deleted !== true)
    return { type: "customer.updated", changed: times(own, "created") };
  if (own.object === "product" && own.deleted !== true)
    return { type: "product.updated", changed: times(own, "created", "updated") };
  if (own.object !== "subscription") {
    throw new Error('The object is not known: object must be "product", "customer" or "subscription".');
  }
  const items = ((own.items as Json | undefined)?.data ?? []) as Json[];
  return {
    type: ENDED.includes(own.status) ? "customer.subscription.deleted" : "customer.subscription.updated",
    changed: [
      ...times(own, "created", "start_date", "current_period_start", "canceled_at", "ended_at"),
      ...items.flatMap((item) => times(item, "current_period_start")),
    ],
  };
};
