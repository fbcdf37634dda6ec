import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import chargebee from "../../../../src/mappings/chargebee.ts";
import lemonSqueezy from "../../../../src/mappings/lemon-squeezy.ts";
import paddle from "../../../../src/mappings/paddle.ts";
import polar from "../../../../src/mappings/polar.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { countRows } from "../journal/count-rows.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, outboxNamed } from "../setup.ts";
import { letArrive, START } from "./arrivals.ts";
import { planned, stripeWebhook } from "./planned.ts";

// biome-ignore lint/suspicious/noExplicitAny: a recorded body, as the test changes it
type Body = any;
const fixtures = import.meta.glob<Body>("../../../fixtures/*/*.json", { import: "default" });

const OLD = "old@example.com";
const NEW = "new@example.com";
const HOUR = 3_600_000;

type Provider = {
  ruleSet: RuleSet;
  property: string;
  /** Fixtures: the customer, a running subscription, and the customer with another address. */
  files: readonly [string, string, string];
  type: (body: Body) => string;
};

const PROVIDERS: Readonly<Record<string, Provider>> = {
  Stripe: {
    ruleSet: stripe,
    property: "stripeCustomerId",
    files: ["customer.created", "customer.subscription.created", "customer.updated"],
    type: (body) => body.type,
  },
  Paddle: {
    ruleSet: paddle,
    property: "paddleCustomerId",
    files: ["customer.created", "subscription.created", "customer.updated"],
    type: (body) => body.event_type,
  },
  Polar: {
    ruleSet: polar,
    property: "polarCustomerId",
    files: ["customer.created", "subscription.created", "customer.updated"],
    type: (body) => body.type,
  },
  Chargebee: {
    ruleSet: chargebee,
    property: "chargebeeCustomerId",
    files: ["customer_created", "subscription_created", "customer_changed"],
    type: (body) => body.event_type,
  },
  "Lemon Squeezy": {
    ruleSet: lemonSqueezy,
    property: "lemonSqueezyCustomerId",
    files: ["order_created", "subscription_created", "subscription_updated"],
    type: (body) => body.meta.event_name,
  },
};

/** One customer with this address. The fixtures of Paddle are about several. */
const withIn = (body: Body, address: string): Body =>
  JSON.parse(JSON.stringify(body), (name, value) => {
    if (typeof value !== "string") return value;
    if (value.includes("@") && /email/.test(name)) return address;
    return value.startsWith("ctm_") ? "ctm_1" : value;
  });

const webhooksOf = async ({ ruleSet, files, type }: Provider): Promise<PlannedWebhook[]> => {
  const source = ruleSet.handler.provider;
  return Promise.all(
    files.map(async (name, place) => {
      const recorded = await fixtures[`../../../fixtures/${source}/${name}.json`]?.();
      const body = withIn(recorded, place === 2 ? NEW : OLD);
      const occurredAt = START - HOUR + place * 60_000;
      const known = { ...body, type: type(body) };
      return planned(ruleSet, { id: `${source} ${place}`, type: known.type, occurredAt, body: known });
    }),
  );
};

describe("a customer who gets another address leaves nothing at the former contact", () => {
  it.each(Object.entries(PROVIDERS))("%s", async (_, provider) => {
    const webhooks = await webhooksOf(provider);
    const arrivals = webhooks.map((webhook, place) => ({ at: place * 60_000, webhook }));
    const { contacts, deliveries } = await runInDurableObject(outboxNamed("moved"), (_outbox, { storage }) =>
      letArrive(storage, arrivals),
    );
    const isRight = ({ state, ifStored }: (typeof deliveries)[number]) =>
      state === "done" || state === "replaced" || (state === "skipped" && ifStored !== undefined);
    expect(deliveries.filter((delivery) => !isRight(delivery))).toEqual([]);
    const [left, came] = [OLD, NEW].map((email) => contacts.find((one) => one.email === email)?.properties);
    expect(left).toBeDefined();
    for (const name of ["plan", "subscriptionStatus", "currentPeriodEnd", "cancelAtPeriodEnd", provider.property])
      expect(left, name).not.toHaveProperty(name);
    expect(came).toMatchObject({ subscriptionStatus: "active", [provider.property]: expect.any(String) });
  });
});

describe("a change of plan while the customer moves", () => {
  it("is told, though the former state has moved along when the update is answered", async () => {
    const bench = await createBench();
    const recorded = async (name: string) =>
      structuredClone(await fixtures[`../../../fixtures/paddle/${name}.json`]?.());
    const now = Math.floor(Date.now() / 1_000) * 1_000 - HOUR;
    const webhook = (type: string, data: Body, step: number) =>
      planned(paddle, { id: `${type} ${step}`, type, occurredAt: now + step * 60_000, body: { type, data } });
    const { data } = await recorded("subscription.created");
    const { data: customer } = await recorded("customer.created");
    const of = (email: string) => ({ ...customer, id: data.customer_id, email });
    const [item] = data.items;
    const dearer = { ...item, price: { ...item.price, unit_price: { amount: "990000", currency_code: "USD" } } };
    await inTurn(bench, webhook("customer.created", of(OLD), 0), webhook("subscription.created", data, 1));
    const { promise: moved, resolve: answer } = Promise.withResolvers<undefined>();
    bench.service.after = () => moved;
    const before = bench.service.acted.length;
    const { id } = await bench.accept(webhook("subscription.updated", { ...data, items: [dearer] }, 2));
    await bench.waitFor(() => expect(bench.service.acted).toHaveLength(before + 1));
    await bench.accept(webhook("customer.updated", of(NEW), 3));
    answer(undefined);
    await bench.pass(10_000);
    const changed = (await bench.webhook(id)).deliveries.filter(
      ({ action, state }) => action === "event" && state === "done",
    );
    expect(changed.map((one) => "eventName" in one && one.eventName)).toEqual(["upgraded"]);
  });
});

const at = (step: number) => START - HOUR + step * 60_000;
const created = (id: string, email: string, step: number) =>
  stripeWebhook("customer.created", { id, object: "customer", email }, at(step));
const changed = (id: string, email: string, step: number) =>
  stripeWebhook("customer.updated", { id, object: "customer", email }, at(step));
const subscribed = (id: string, customer: string, plan: string, step: number, status = "active") =>
  stripeWebhook(
    status === "active" ? "customer.subscription.created" : "customer.subscription.deleted",
    {
      id,
      object: "subscription",
      customer,
      status,
      created: Math.floor(at(step) / 1000),
      cancel_at_period_end: false,
      items: {
        data: [{ price: { id: `price_${plan}`, nickname: plan, unit_amount: 2000, currency: "usd" }, quantity: 1 }],
      },
    },
    at(step),
  );

/** The properties that each contact shows, by address. The email service has every contact that was written. */
const shownIn = ({ service }: Bench): Record<string, Record<string, unknown>> => {
  const shown: Record<string, Record<string, unknown>> = {};
  for (const { path, body } of service.acted) {
    const email = String(body.email);
    if (path === "/v1/contacts/update") shown[email] = { ...shown[email], ...(body.properties as object | undefined) };
  }
  return shown;
};

const benchWithContacts = async () => {
  const bench = await createBench();
  bench.service.before = ({ method, body }) =>
    method === "GET" ? Response.json([{ id: "con_1", email: body.email }]) : undefined;
  return bench;
};

const inTurn = async (bench: Bench, ...webhooks: readonly PlannedWebhook[]) => {
  for (const webhook of webhooks) await bench.deliveries((await bench.accept(webhook)).id);
};

describe("the former contact of a customer", () => {
  it("shows the subscription and the id of the customer who stays", async () => {
    const bench = await benchWithContacts();
    await inTurn(
      bench,
      created("cus_a", OLD, 0),
      subscribed("sub_a", "cus_a", "Pro", 1),
      created("cus_b", OLD, 2),
      subscribed("sub_b", "cus_b", "Scale", 3),
    );
    expect(shownIn(bench)[OLD]).toMatchObject({ plan: "Scale", stripeCustomerId: "cus_b" });
    await inTurn(bench, changed("cus_b", NEW, 4));
    expect(shownIn(bench)).toMatchObject({
      [OLD]: { plan: "Pro", subscriptionStatus: "active", stripeCustomerId: "cus_a" },
      [NEW]: { plan: "Scale", subscriptionStatus: "active", stripeCustomerId: "cus_b" },
    });
  });

  it("is written once, and the ledger and the person say why", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0), subscribed("sub_a", "cus_a", "Pro", 1));
    const { id } = await bench.accept(changed("cus_a", NEW, 2));
    const told = (await bench.deliveries(id)).filter(({ rule }) => rule === "customer moved");
    expect(told.map(({ contact, state }) => [contact, state])).toEqual([
      [{ email: OLD }, "done"],
      [{ email: NEW }, "replaced"],
    ]);
    bench.service.acted.length = 0;
    await inTurn(bench, changed("cus_a", NEW, 3), changed("cus_a", NEW, 4));
    expect(bench.service.acted.filter(({ body }) => body.email === OLD)).toEqual([]);
    expect(await bench.ask((outbox) => outbox.person({ email: OLD }))).toMatchObject({ leftAt: at(2) });
    expect(await bench.ask((outbox) => outbox.person({ email: NEW }))).toMatchObject({ leftAt: null });
  });

  it("still lists what went there; the new one does not", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0));
    const { id } = await bench.accept(subscribed("sub_a", "cus_a", "Pro", 1));
    await bench.deliveries(id);
    await inTurn(bench, changed("cus_a", NEW, 2));
    const went = (await bench.webhook(id)).deliveries;
    expect(went.map(({ contact, sentTo }) => [contact, sentTo])).toEqual([
      [{ ref: "stripe:cus_a" }, { email: OLD }],
      [{ ref: "stripe:cus_a" }, { email: OLD }],
    ]);
    const found = await bench.ask((outbox) => outbox.searchWebhooks({ who: { email: OLD } }, { limit: 10 }));
    expect(found.webhooks.map(({ webhook, onlyNamed }) => [webhook.type, onlyNamed])).toContainEqual([
      "customer.subscription.created",
      undefined,
    ]);
  });

  it("is not made again where the email service has it no more", async () => {
    const bench = await createBench();
    await inTurn(bench, created("cus_a", OLD, 0), subscribed("sub_a", "cus_a", "Pro", 1));
    bench.service.acted.length = 0;
    const { id } = await bench.accept(changed("cus_a", NEW, 2));
    expect(await bench.deliveries(id)).toContainEqual(
      expect.objectContaining({
        rule: "customer moved",
        state: "done",
        message: expect.stringContaining("no contact"),
      }),
    );
    expect(shownIn(bench)).not.toHaveProperty([OLD]);
  });

  it("gets no customer id from a webhook of before the move that comes late", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, changed("cus_a", NEW, 4), created("cus_a", OLD, 0));
    expect(shownIn(bench)[OLD]?.stripeCustomerId).toBeUndefined();
  });

  it("is erased with what went there, and the customer's new contact stays", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0));
    const { id } = await bench.accept(subscribed("sub_a", "cus_a", "Pro", 1));
    await bench.deliveries(id);
    await inTurn(bench, changed("cus_a", NEW, 2));
    await bench.ask((outbox) => outbox.erase({ email: OLD }, Number.MAX_SAFE_INTEGER));
    const rows = await bench.inside((_, { storage: { sql } }) =>
      JSON.stringify([sql.exec("SELECT * FROM webhooks").toArray(), sql.exec("SELECT * FROM contacts").toArray()]),
    );
    expect(rows).not.toContain(OLD);
    expect(rows).toContain(NEW);
    expect(await bench.ask((outbox) => outbox.person({ email: NEW }))).toMatchObject({ written: {} });
  });
});

describe("a move while an update of the former contact is under way", () => {
  const underWay = async (answer: () => Response | undefined) => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0));
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let held = false;
    bench.service.before = async ({ method, body }) => {
      if (method === "GET") return Response.json([{ id: "con_1", email: body.email }]);
      if (body.email !== OLD || held) return undefined;
      held = true;
      bench.service.acted.push({ at: 0, method, path: "/v1/contacts/update", key: null, body });
      await opened;
      return answer();
    };
    const first = await bench.accept(subscribed("sub_a", "cus_a", "Pro", 1));
    await bench.waitFor(() => expect(held).toBe(true));
    return { bench, first, open };
  };
  const check = async (bench: Bench) => {
    await bench.pass(10 * 60_000);
    expect(shownIn(bench)).toMatchObject({
      [OLD]: { plan: null, subscriptionStatus: null, stripeCustomerId: null },
      [NEW]: { plan: "Pro", subscriptionStatus: "active", stripeCustomerId: "cus_a" },
    });
  };

  it("that succeeds later", async () => {
    const { bench, open } = await underWay(() => Response.json({ success: true, id: "con_1" }));
    const { id } = await bench.accept(changed("cus_a", NEW, 2));
    await bench.pass(5_000);
    const toOld = () => bench.service.received.filter(({ body }) => body.email === OLD).length;
    const count = toOld();
    expect((await bench.webhook(id)).deliveries.filter(({ contact }) => contact.email === OLD)).toMatchObject([
      { state: "waiting" },
    ]);
    open();
    await bench.pass(2_000);
    expect(toOld()).toBeGreaterThan(count);
    const all = bench.service.received.length;
    await check(bench);
    expect(bench.service.received).toHaveLength(all);
  });

  it("with an unknown outcome, and a success of the next attempt", async () => {
    const { bench, open } = await underWay(() => failure(500, "down"));
    await bench.accept(changed("cus_a", NEW, 2));
    await bench.pass(500);
    open();
    await check(bench);
  });

  it("that succeeds later, although an earlier attempt arrives after it", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0));
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let tries = 0;
    bench.service.before = async (request) => {
      const { path, body } = request;
      if (path === "/v1/contacts/find") return Response.json([{ id: "con_1", email: body.email }]);
      if (body.email !== OLD || tries === 2) return undefined;
      tries++;
      if (tries === 2) await opened;
      else bench.clock.in(60_000, () => void bench.service.acted.push(request));
      return tries === 1 ? "hang" : undefined;
    };
    await bench.accept(subscribed("sub_a", "cus_a", "Pro", 1));
    await bench.waitFor(() => expect(tries).toBe(2), 30_000);
    await bench.accept(changed("cus_a", NEW, 2));
    await bench.pass(500);
    open();
    await bench.pass(10_000);
    expect(shownIn(bench)).toMatchObject({ [OLD]: { plan: null }, [NEW]: { plan: "Pro" } });
    await bench.pass(50_000);
    expect(shownIn(bench)).toMatchObject({ [OLD]: { plan: "Pro" } });
    await check(bench);
  });

  it("and the object dies before the answer", async () => {
    const { bench } = await underWay(() => undefined);
    await bench.accept(changed("cus_a", NEW, 2));
    await bench.crash();
    await check(bench);
  });

  it("and the object dies before the move", async () => {
    const { bench } = await underWay(() => undefined);
    await bench.crash();
    await bench.accept(changed("cus_a", NEW, 2));
    await check(bench);
  });
});

describe("rows written", () => {
  it("by an update that has a customer id are as many as before", async () => {
    const bench = await benchWithContacts();
    await inTurn(bench, created("cus_a", OLD, 0));
    const rows = await countRows(bench, async () => inTurn(bench, changed("cus_a", OLD, 1)));
    // Three to accept, one to claim, one to settle, one of the person.
    expect(rows.sql).toBe(6);
  });
});
