import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import betterAuth from "../../../../src/mappings/better-auth.ts";
import chargebee from "../../../../src/mappings/chargebee.ts";
import dodo from "../../../../src/mappings/dodo.ts";
import lemonSqueezy from "../../../../src/mappings/lemon-squeezy.ts";
import paddle from "../../../../src/mappings/paddle.ts";
import payPal from "../../../../src/mappings/paypal.ts";
import polar from "../../../../src/mappings/polar.ts";
import razorpay from "../../../../src/mappings/razorpay.ts";
import revenueCat from "../../../../src/mappings/revenuecat.ts";
import shopify from "../../../../src/mappings/shopify.ts";
import square from "../../../../src/mappings/square.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import whop from "../../../../src/mappings/whop.ts";
import wooCommerce from "../../../../src/mappings/woocommerce.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import type { PlannedDelivery, RuleSet } from "../../../../src/rules/types.ts";
import { accepted, type Bench, createBench, event, holdFirstAnswer, outboxNamed, update } from "../setup.ts";
import { letArrive } from "./arrivals.ts";

// biome-ignore lint/suspicious/noExplicitAny: a recorded body, as the test changes it
type Body = any;
const fixtures = import.meta.glob<Body>("../../../fixtures/*/*.json", { import: "default" });

const START = 1_762_948_800_000;
const ADA = "ada@example.com";

type Provider = {
  ruleSet: RuleSet;
  id: string;
  other: string;
  start?: (body: Body, at: number) => void;
  type: (body: Body, name: string) => string;
  begins: readonly string[];
  ends: readonly string[];
  links?: readonly ({ email: string } & ({ ref: string } | { userId: string }))[];
};

const inSeconds = (at: number) => Math.floor(at / 1000);
const inWords = (at: number) => new Date(at).toISOString();

const PROVIDERS: Record<string, Provider> = {
  Stripe: {
    ruleSet: stripe,
    id: "sub_1STdK2B7h3m8QwZxF4aVnR6e",
    other: "sub_1ZZZK2B7h3m8QwZxF4aVnR6e",
    start: (body, at) => Object.assign(body.data.object, { created: inSeconds(at) }),
    type: (body) => body.type,
    begins: [
      "customer.subscription.created",
      "customer.subscription.updated.renewed",
      "customer.subscription.updated.upgraded",
    ],
    ends: ["customer.subscription.updated.past-due", "customer.subscription.deleted"],
    links: [{ ref: "stripe:cus_TQ7rX2vLk9WbNd", email: ADA }],
  },
  Paddle: {
    ruleSet: paddle,
    id: "sub_01keirfh9fctdfkwag9fyq1qaj",
    other: "sub_01zzzrfh9fctdfkwag9fyq1qaj",
    start: (body, at) => Object.assign(body.data, { created_at: inWords(at) }),
    type: (body) => body.event_type,
    begins: ["subscription.created", "subscription.updated.price"],
    ends: ["subscription.past_due", "subscription.canceled"],
    links: [{ ref: "paddle:ctm_01kaywhzs39iujhy2qwsqqmspn", email: ADA }],
  },
  Polar: {
    ruleSet: polar,
    id: "f4bfd593-de09-4c6e-a8aa-276529c5f81f",
    other: "ffffd593-de09-4c6e-a8aa-276529c5f81f",
    start: (body, at) => Object.assign(body.data, { created_at: inWords(at) }),
    type: (body) => body.type,
    begins: ["subscription.created", "subscription.updated.price"],
    ends: ["subscription.past_due", "subscription.revoked"],
  },
  "Lemon Squeezy": {
    ruleSet: lemonSqueezy,
    id: "1203377",
    other: "9203377",
    start: (body, at) => Object.assign(body.data.attributes, { created_at: inWords(at) }),
    type: (body) => body.meta.event_name,
    begins: ["subscription_created", "subscription_plan_changed"],
    ends: ["subscription_updated.past-due", "subscription_cancelled", "subscription_expired"],
  },
  Chargebee: {
    ruleSet: chargebee,
    id: "162vNr1ael7Hp4",
    other: "962vNr1ael7Hp4",
    start: (body, at) => Object.assign(body.content.subscription, { created_at: inSeconds(at) }),
    type: (body) => body.event_type,
    begins: ["subscription_created", "subscription_renewed", "subscription_changed"],
    ends: ["subscription_cancelled"],
  },
  PayPal: {
    ruleSet: payPal,
    id: "I-BW452GLLEP1G",
    other: "I-ZZ452GLLEP1G",
    start: (body, at) => Object.assign(body.resource, { create_time: inWords(at) }),
    type: (body) => body.event_type,
    begins: ["BILLING.SUBSCRIPTION.ACTIVATED", "BILLING.SUBSCRIPTION.UPDATED"],
    ends: ["BILLING.SUBSCRIPTION.SUSPENDED", "BILLING.SUBSCRIPTION.CANCELLED"],
  },
  Square: {
    ruleSet: square,
    id: "56214fb2-cc85-47a1-93bc-44f3766bb56f",
    other: "96214fb2-cc85-47a1-93bc-44f3766bb56f",
    start: (body, at) => Object.assign(body.data.object.subscription, { created_at: inWords(at) }),
    type: (body) => body.type,
    begins: ["subscription.created", "subscription.updated"],
    ends: ["subscription.updated.paused", "subscription.updated.canceled"],
    links: [{ ref: "square:JDKYHBWT1D4F8MFH63DBMEN8Y4", email: ADA }],
  },
  Dodo: {
    ruleSet: dodo,
    id: "sub_Iuaq622bbmmfOGrVTqdXs",
    other: "sub_Zuaq622bbmmfOGrVTqdXs",
    start: (body, at) => Object.assign(body.data, { created_at: inWords(at) }),
    type: (body) => body.type,
    begins: ["subscription.active", "subscription.plan_changed"],
    ends: ["subscription.past_due", "subscription.cancelled"],
  },
  Whop: {
    ruleSet: whop,
    id: "mem_Iuaq622bbmmfOG",
    other: "mem_Zuaq622bbmmfOG",
    start: (body, at) => Object.assign(body.data, { created_at: inWords(at) }),
    type: (body) => body.type,
    begins: ["membership.activated", "membership.cancel_at_period_end_changed.withdrawn"],
    ends: ["membership.deactivated"],
  },
  WooCommerce: {
    ruleSet: wooCommerce,
    id: "801",
    other: "901",
    start: (body, at) => Object.assign(body, { id: Number(body.id), date_created_gmt: inWords(at).slice(0, 19) }),
    type: (_, name) => name.split(".").slice(0, 2).join("."),
    begins: ["subscription.created", "subscription.updated"],
    ends: ["subscription.updated.on-hold", "subscription.updated.cancelled"],
  },
  Razorpay: {
    ruleSet: razorpay,
    id: "sub_RCx9Zf4mOnZy1V",
    other: "sub_ZZx9Zf4mOnZy1V",
    start: (body, at) => Object.assign(body.payload.subscription.entity, { created_at: inSeconds(at) }),
    type: (body) => body.event,
    begins: ["subscription.activated", "subscription.charged.renewal", "subscription.updated"],
    ends: ["subscription.halted", "subscription.cancelled"],
    links: [{ ref: "razorpay:cust_RCw8Ye3lNmYx0U", email: ADA }],
  },
  "Better Auth": {
    ruleSet: betterAuth,
    id: "sub_1STdK2B7h3m8QwZxBA4aVnR6",
    other: "sub_9STdK2B7h3m8QwZxBA4aVnR6",
    start: (body, at) => Object.assign(body.data, { periodStart: inWords(at) }),
    type: (body) => body.type,
    begins: ["subscription.created", "subscription.updated"],
    ends: ["subscription.updated.past-due", "subscription.deleted"],
    links: [{ userId: "k9Vq2LxT7ZbR4mNcYwHs0PdFgJ6aE1uQ", email: ADA }],
  },
  Shopify: {
    ruleSet: shopify,
    id: "593791907",
    other: "993791907",
    type: (_, name) => name.replace(".", "/"),
    begins: ["subscription_contracts.create", "subscription_contracts.update"],
    ends: ["subscription_contracts.fail", "subscription_contracts.cancel"],
    links: [{ ref: "shopify:7203412345678", email: ADA }],
  },
  RevenueCat: {
    ruleSet: revenueCat,
    id: "450001234567890",
    other: "950001234567890",
    type: (body) => body.event.type,
    begins: ["INITIAL_PURCHASE", "RENEWAL"],
    ends: ["BILLING_ISSUE", "EXPIRATION"],
  },
};

const folderOf = ({ ruleSet }: Provider): string => ruleSet.handler.provider;

const webhooksOf = async (provider: Provider, names: readonly string[], id: string, at: number) => {
  const { ruleSet } = provider;
  const source = folderOf(provider);
  const all: Partial<PlannedWebhook>[] = [];
  for (const [n, name] of names.entries()) {
    const recorded = await fixtures[`../../../fixtures/${source}/${name}.json`]?.();
    const body = JSON.parse(JSON.stringify(recorded).replaceAll(provider.id, id));
    provider.start?.(body, at);
    const type = provider.type(body, name);
    const occurredAt = at + n * 3_600_000;
    const eventId = `${id} ${n}`;
    const { deliveries, outcomes, links } = plan(ruleSet, { source, id: eventId, type, occurredAt, body });
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const keyed = deliveries.map((delivery) => ({
      ...delivery,
      key: `${eventId} ${delivery.rule} ${delivery.action}`,
    }));
    all.push({ source, eventId, type, occurredAt, rank: ruleSet.handler.rank?.(type) ?? 0, deliveries: keyed, links });
  }
  return all;
};

type Properties = Record<string, unknown>;

const shownAt = ({ service }: Bench): Properties =>
  Object.assign(
    {},
    ...service.acted.filter(({ path }) => path === "/v1/contacts/update").map(({ body }) => body.properties),
  );

const withoutNulls = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));

const deliver = async (webhooks: readonly Partial<PlannedWebhook>[], gaps: readonly number[]) => {
  let at = 0;
  const arrivals = webhooks.map((webhook, place) => {
    at += gaps[place] ?? 0;
    return { at, webhook: accepted(webhook) };
  });
  const { contacts, deliveries } = await runInDurableObject(outboxNamed("any order"), (_, { storage }) =>
    letArrive(storage, arrivals),
  );
  // Conditions on stored state depend on the order of arrival.
  const sent = deliveries.filter(({ ifStored }) => !ifStored);
  for (const { state } of sent) expect(["done", "replaced"]).toContain(state);
  expect(contacts).toHaveLength(1);
  const events = sent.flatMap((delivery) => (delivery.action === "event" ? [delivery.eventName] : []));
  return { shown: contacts[0]?.properties ?? {}, events: events.sort() };
};

const subscriptionOf = (delivery: PlannedDelivery): Properties =>
  delivery.action === "contact" && delivery.subscription
    ? Object.fromEntries(
        Object.entries(delivery.properties).filter(([name]) => delivery.subscription?.properties.includes(name)),
      )
    : {};

const lastOf = (webhooks: readonly Partial<PlannedWebhook>[]): Properties =>
  withoutNulls(Object.assign({}, ...webhooks.flatMap(({ deliveries = [] }) => deliveries.map(subscriptionOf))));

describe.each(Object.entries(PROVIDERS))("two subscriptions of one customer at %s", (_, provider) => {
  const { begins, ends, id, other, links = [] } = provider;
  const all = [...begins, ...ends];

  it.each([
    ["the first ends, the second runs: the contact shows the second", all, begins, 1],
    ["the second ends, the first runs: the contact shows the first", begins, all, 0],
    ["both end: the contact shows the one that started later", all, all, 1],
  ] as const)("%s, in any order of arrival", async (_name, first, second, best) => {
    const told = links.map((link, n): Partial<PlannedWebhook> => ({ eventId: `link ${n}`, links: [link] }));
    const both = [
      await webhooksOf(provider, first, id, START),
      await webhooksOf(provider, second, other, START + 1_800_000),
    ];
    const webhooks = [...told, ...both.flat()];
    const inOrder = await deliver(
      webhooks,
      webhooks.map(() => 2_000),
    );
    expect(inOrder.shown).toMatchObject(lastOf(both[best] ?? []));
    expect(inOrder.shown.subscriptionStatus).toMatch(first === second ? /cancel|expired/ : /^active$/);
    const ended = inOrder.events.filter((name) => name === "subscriptionCanceled");
    expect(ended).toHaveLength(first === second ? 2 : 1);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(webhooks, { minLength: webhooks.length }),
        fc.array(fc.constantFrom(0, 1, 700), { minLength: webhooks.length, maxLength: webhooks.length }),
        async (order, gaps) => {
          expect(await deliver(order, gaps)).toEqual(inOrder);
        },
      ),
      { numRuns: inject("orders") },
    );
  });
});

const ada = { email: ADA };

const about = (
  id: string,
  standing: number,
  properties: Record<string, string | null>,
  contact: PlannedDelivery["contact"] = ada,
) => ({
  ...update(contact, properties),
  subscription: { id, standing, properties: Object.keys(properties) },
});

const storedFor = (bench: Bench, key = `email:${ADA}`) =>
  bench.inside((_, { storage }) => {
    const [row] = storage.sql
      .exec<{ subscriptions: string | null }>("SELECT subscriptions FROM contacts WHERE key = ?", key)
      .toArray();
    return row && Object.keys(JSON.parse(row.subscriptions ?? "{}"));
  });

const inTurn = async (bench: Bench, ...deliveries: ReturnType<typeof update>[]) => {
  const states = [];
  for (const [n, delivery] of deliveries.entries()) {
    const { id } = await bench.accept({ occurredAt: START + n * 1000, deliveries: [delivery] });
    states.push((await bench.deliveries(id))[0]?.state);
  }
  return states;
};

describe("the state of a subscription", () => {
  it("is replaced by a newer webhook of the same subscription alone; an older one is replaced", async () => {
    const bench = await createBench();
    const late = about("stripe:sub_1", 50, { plan: "Old" });
    await inTurn(bench, update(ada, { x: 1 }), about("stripe:sub_1", 50, { plan: "Pro" }));
    const { id } = await bench.accept({ occurredAt: START, deliveries: [late] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "replaced" }]);
    const other = await bench.accept({ occurredAt: START, deliveries: [about("stripe:sub_2", 0, { plan: "Basic" })] });
    expect(await bench.deliveries(other.id)).toMatchObject([{ state: "done" }]);
    expect(shownAt(bench)).toMatchObject({ plan: "Pro" });
  });

  it("clears what only the other subscriptions have", async () => {
    const bench = await createBench();
    await inTurn(
      bench,
      about("stripe:sub_1", 40, { plan: "Pro", trialEndsAt: "2026-01-01" }),
      about("paddle:sub_2", 50, { plan: "Team" }),
    );
    expect(bench.service.acted.map(({ body }) => body.properties)).toEqual([
      { plan: "Pro", trialEndsAt: "2026-01-01" },
      { plan: "Team", trialEndsAt: null },
    ]);
  });

  it("is shown of the best one where updates wait and join in one request", async () => {
    const bench = await createBench();
    const open = holdFirstAnswer(bench);
    const first = await bench.accept({ occurredAt: START, deliveries: [update(ada, { first: 1 })] });
    await bench.waitFor(() => expect(bench.service.received).toHaveLength(1));
    const ids = [first.id];
    for (const [n, delivery] of [
      about("stripe:sub_1", 50, { plan: "Pro" }),
      about("stripe:sub_2", 50, { plan: "Team" }),
      about("stripe:sub_2", 0, { plan: "Team" }),
      update(ada, { seats: 3 }),
    ].entries())
      ids.push((await bench.accept({ occurredAt: START + n, deliveries: [delivery] })).id);
    open();
    for (const id of ids) expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(bench.service.acted.map(({ body }) => body.properties)).toEqual([{ first: 1 }, { plan: "Pro", seats: 3 }]);
  });

  it("is joined when two identifiers turn out to be one person, and the next update shows the best", async () => {
    const bench = await createBench();
    await inTurn(
      bench,
      about("stripe:sub_1", 50, { plan: "Pro" }),
      about("revenuecat:1", 0, { plan: "Basic" }, { userId: "u1" }),
    );
    await bench.accept({ links: [{ userId: "u1", email: ADA }] });
    expect([await storedFor(bench), await storedFor(bench, "user:u1")]).toEqual([[], ["stripe:sub_1", "revenuecat:1"]]);
    await inTurn(bench, update({ userId: "u1", email: ADA }, { firstName: "Ada" }));
    expect(bench.service.acted.at(-1)?.body).toMatchObject({ firstName: "Ada", properties: { plan: "Pro" } });
  });

  it("follows its customer to another address: the contact of the new address shows it, in any order of arrival", async () => {
    const cus = { ref: "stripe:cus_1" };
    const customers = { customer: cus.ref };
    const of = (id: string, standing: number, tier: string) => {
      const delivery = about(id, standing, { tier }, cus);
      return { ...delivery, subscription: { ...delivery.subscription, ...customers } };
    };
    const lives = "new@example.com";
    const told = [
      { links: [{ ...cus, email: ADA }] },
      { deliveries: [of("stripe:sub_1", 50, "Pro")] },
      { deliveries: [of("stripe:sub_2", 50, "Team")] },
      { links: [{ ...cus, email: lives }], deliveries: [update({ email: lives }, { moved: true })] },
      { deliveries: [of("stripe:sub_2", 0, "Team")] },
    ].map((one, n) => ({ ...one, eventId: `evt_move_${n}`, occurredAt: START + n * 1000 }));
    const order = fc.shuffledSubarray(told, { minLength: told.length });
    await fc.assert(
      fc.asyncProperty(order, async (webhooks) => {
        const bench = await createBench();
        for (const webhook of webhooks) {
          await bench.accept(webhook);
          await bench.pass(1_000);
        }
        const atNew = bench.service.acted.filter(({ body }) => body.email === lives).map(({ body }) => body.properties);
        expect(Object.assign({}, ...atNew)).toEqual({ moved: true, tier: "Pro" });
        expect(await storedFor(bench, `email:${lives}`)).toEqual(["stripe:sub_1", "stripe:sub_2"]);
        expect((await storedFor(bench)) ?? []).toEqual([]);
      }),
      { numRuns: inject("orders") },
    );
  });

  it("is the best one too where the contact of a former address gives its values to the user", async () => {
    const bench = await createBench();
    const newer = { userId: "u1", email: "ada@new.example" };
    bench.service.before = ({ method, body }) =>
      method === "GET"
        ? Response.json([{ id: "con_1", ...(body.userId ? newer : ada), plan: body.userId ? "Pro" : "Team" }])
        : undefined;
    const former = about("stripe:sub_2", 0, { plan: "Team" });
    await bench.deliveries((await bench.accept({ occurredAt: 3_000, deliveries: [former] })).id);
    const own = about("stripe:sub_1", 50, { plan: "Pro" }, newer);
    await bench.deliveries((await bench.accept({ occurredAt: 2_500, links: [newer], deliveries: [own] })).id);
    const late = await bench.accept({ occurredAt: 2_000, links: [{ userId: "u1", email: ADA }] });
    expect(await bench.deliveries(late.id)).toMatchObject([{ rule: "former address", state: "done" }]);
    expect(shownAt(bench)).toEqual({ plan: "Pro" });
  });

  it("shows in the ledger where the contact shows another subscription", async () => {
    const bench = await createBench();
    await inTurn(bench, about("stripe:sub_1", 50, { plan: "Pro" }));
    const { id } = await bench.accept({
      occurredAt: START + 9_000,
      deliveries: [about("stripe:sub_2", 0, { plan: "Team" })],
    });
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "done", message: "The person has a better subscription, which the contact shows: stripe:sub_1." },
    ]);
  });

  it("ends for all subscriptions of a source where the source says so, for older webhooks that come late too", async () => {
    const bench = await createBench();
    await inTurn(
      bench,
      about("revenuecat:1", 50, { plan: "Pro" }),
      update(ada, { x: 1 }),
      about("revenuecat:*", 0, { plan: null }),
    );
    expect(shownAt(bench)).toMatchObject({ plan: null });
    const late = await bench.accept({
      occurredAt: START + 1000,
      deliveries: [about("revenuecat:2", 50, { plan: "Team" })],
    });
    expect(await bench.deliveries(late.id)).toMatchObject([{ state: "replaced" }]);
    const other = await bench.accept({ occurredAt: START, deliveries: [about("stripe:sub_1", 50, { plan: "Solo" })] });
    expect(await bench.deliveries(other.id)).toMatchObject([{ state: "done" }]);
    expect(shownAt(bench)).toMatchObject({ plan: "Solo" });
  });

  it("goes with the contact when the contact is deleted", async () => {
    const bench = await createBench();
    const gone = { rule: "delete", action: "delete" as const, contact: ada, key: "key-delete", removes: true as const };
    await inTurn(bench, about("stripe:sub_1", 50, { plan: "Pro" }));
    await bench.deliveries((await bench.accept({ occurredAt: START + 5_000, deliveries: [gone] })).id);
    expect(await storedFor(bench)).toEqual([]);
    const late = await bench.accept({
      occurredAt: START + 1_000,
      deliveries: [about("stripe:sub_1", 50, { plan: "Team" })],
    });
    expect(await bench.deliveries(late.id)).toMatchObject([{ state: "replaced" }]);
  });

  it("goes with the person who is erased, id and all", async () => {
    const bench = await createBench();
    await inTurn(bench, about("stripe:sub_1", 50, { plan: "Pro" }), event(ada) as never);
    await bench.ask((outbox) => outbox.erase(ada, Number.MAX_SAFE_INTEGER));
    expect(await storedFor(bench)).toBeUndefined();
    const deliveries = await bench.inside((_, { storage: { sql } }) =>
      sql.exec("SELECT deliveries FROM webhooks").toArray(),
    );
    expect(JSON.stringify(deliveries)).not.toContain("sub_1");
  });

  it("outlives the retention while the subscription runs", async () => {
    const bench = await createBench();
    await inTurn(bench, about("stripe:sub_1", 50, { plan: "Pro" }), about("stripe:sub_2", 0, { plan: "Basic" }));
    await inTurn(bench, about("stripe:sub_3", 0, { plan: "Basic" }, { email: "bob@example.com" }));
    bench.service.offset = 31 * 86_400_000;
    await bench.ring();
    await bench.waitFor(async () => expect(await storedFor(bench, "email:bob@example.com")).toBeUndefined());
    expect(await storedFor(bench)).toEqual(["stripe:sub_1"]);
  });

  it("is stored for the best 20 subscriptions of a person", async () => {
    const bench = await createBench();
    const many = Array.from({ length: 25 }, (_, n) => about(`stripe:sub_${n + 10}`, n < 3 ? 50 : 0, { plan: `p${n}` }));
    await inTurn(bench, ...many);
    const kept = await storedFor(bench);
    expect(kept).toHaveLength(20);
    expect(kept?.slice(0, 4)).toEqual(["stripe:sub_12", "stripe:sub_11", "stripe:sub_10", "stripe:sub_34"]);
  });
});
