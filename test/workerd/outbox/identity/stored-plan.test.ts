import { describe, expect, it } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { accepted, createBench } from "../setup.ts";
import { inAnyOrder, START } from "./arrivals.ts";
import { stripeWebhook } from "./planned.ts";

const ada = { email: "ada@example.com" };
const PRICES = { Pro: 2_000, Creator: 2_000, Scale: 4_000, Support: 15_000 };
type Product = string;
const EXTRA_PRICE = 20_000;
const priceOf = (product: Product): number => (PRICES as Readonly<Record<Product, number>>)[product] ?? EXTRA_PRICE;

const at = (minute: number) => START - 3_600_000 + minute * 60_000;
const CREATED = Math.floor(at(0) / 1_000);

const item = (product: Product) => ({
  id: `si_${product}`,
  quantity: 1,
  current_period_end: CREATED + priceOf(product),
  price: {
    id: `price_${product}`,
    product: `prod_${product}`,
    currency: "usd",
    billing_scheme: "per_unit",
    unit_amount: priceOf(product),
    recurring: { interval: "month", interval_count: 1, usage_type: "licensed" },
  },
});

type Given = { type?: string; was?: readonly Product[]; former?: object; status?: string };

const subscription = (minute: number, products: readonly Product[], { type = "updated", was, ...more }: Given = {}) =>
  stripeWebhook(
    `customer.subscription.${type}`,
    {
      id: "sub_1",
      object: "subscription",
      customer: "cus_1",
      status: more.status ?? "active",
      created: CREATED,
      trial_end: Math.floor((START + 3 * 86_400_000) / 1_000),
      items: { data: products.map(item) },
    },
    at(minute),
    { ...more.former, ...(was ? { items: { data: was.map(item) } } : {}) },
  );

const names = Object.keys(PRICES).map((name) =>
  accepted({ source: "stripe", names: [{ id: `stripe:prod_${name}`, name }], occurredAt: at(0) }),
);
const link = accepted({ source: "stripe", links: [{ ref: "stripe:cus_1", ...ada }], occurredAt: at(0) });
const created = subscription(0, ["Pro"], { type: "created" });
const withSupport = subscription(1, ["Support", "Pro"], { was: ["Pro"] });

describe("the plan of a subscription with a dearer item beside it", () => {
  it("stays in events and mails of webhooks that tell no former items", async () => {
    const bench = await createBench();
    const toldBy = async (webhook: PlannedWebhook) => {
      const { id } = await bench.accept(webhook);
      await bench.pass(5_000);
      return (await bench.webhook(id)).deliveries.flatMap((one) =>
        one.action === "event"
          ? [[one.eventName, one.eventProperties]]
          : one.action === "transactional"
            ? [[one.template, one.dataVariables]]
            : [],
      );
    };
    await bench.acceptAll([...names, link, created]);
    await bench.pass(5_000);
    expect(await toldBy(withSupport)).toMatchObject([["upgraded", { plan: "Pro", previousPlan: "Pro" }]]);
    const late = subscription(2, ["Support", "Pro"], { status: "past_due", former: { status: "active" } });
    expect(await toldBy(late)).toMatchObject([["pastDue", { plan: "Pro", planName: "Pro" }]]);
    const paid = subscription(3, ["Support", "Pro"], { former: { status: "past_due" } });
    expect(await toldBy(paid)).toMatchObject([["recovered", { plan: "Pro" }]]);
    const ending = subscription(4, ["Support", "Pro"], { type: "trial_will_end", status: "trialing" });
    expect(await toldBy(ending)).toMatchObject([
      ["trialEnding", { plan: "Pro" }],
      ["trial-ending", { plan: "Pro" }],
    ]);
    const equal = subscription(5, ["Support", "Creator"], { was: ["Support", "Pro"] });
    expect(await toldBy(equal)).toMatchObject([["planChanged", { plan: "Creator", previousPlan: "Pro" }]]);
    const higher = subscription(6, ["Scale", "Support"], { was: ["Support", "Creator"] });
    expect(await toldBy(higher)).toMatchObject([["upgraded", { plan: "Scale", previousPlan: "Creator" }]]);
    const end = subscription(7, ["Support", "Scale"], { type: "deleted", status: "canceled" });
    expect((await toldBy(end)).filter(([name]) => name === "subscriptionCanceled")).toMatchObject([
      ["subscriptionCanceled", { plan: "Scale" }],
    ]);
    const shown = bench.service.acted.filter(({ path }) => path === "/v1/contacts/update").at(-1)?.body;
    expect(shown).toMatchObject({
      properties: { plan: "Scale", currentPeriodEnd: new Date((CREATED + 4_000) * 1_000).toISOString() },
    });
  });

  it("is that of the contact at the end, with its name and period, in any order of arrival", async () => {
    const told = [created, withSupport, subscription(2, ["Support", "Pro"]), subscription(3, ["Scale", "Support"])];
    const end = { plan: "Scale", currentPeriodEnd: new Date((CREATED + 4_000) * 1_000).toISOString() };
    const named = accepted({ source: "stripe", names: [{ id: "stripe:prod_Scale", name: "Scale" }] });
    await inAnyOrder("stored plan", [link, named, ...told], ({ contacts, deliveries }) => {
      expect(deliveries.filter(({ state }) => state === "failed" || state === "undecided")).toEqual([]);
      expect(contacts).toMatchObject([{ ...ada, properties: end }]);
    });
  });

  it("is what the journal shows of each update, as the email service got it", async () => {
    const bench = await createBench();
    await bench.acceptAll([...names, link, created]);
    await bench.pass(5_000);
    for (const webhook of [
      withSupport,
      subscription(2, ["Support", "Pro"], { status: "past_due", former: { status: "active" } }),
      subscription(3, ["Support", "Creator"], { was: ["Support", "Pro"] }),
      subscription(4, ["Scale", "Support"], { was: ["Support", "Creator"] }),
      subscription(5, ["Support"], { was: ["Scale", "Support"] }),
    ]) {
      const { id } = await bench.accept(webhook);
      await bench.pass(3_000);
      const sent = bench.service.acted.filter(({ path }) => path === "/v1/contacts/update").at(-1)?.body;
      const { deliveries } = await bench.webhook(id);
      const update = deliveries.find(({ action, subscription }) => action === "contact" && subscription);
      expect(update).toMatchObject({ state: "done", properties: sent?.properties });
    }
    // A new name is written where its product is the plan, and nowhere else.
    const rename = async (product: string, name: string) => {
      const count = bench.service.acted.length;
      await bench.accept(
        accepted({ source: "stripe", names: [{ id: `stripe:prod_${product}`, name }], occurredAt: at(10) }),
      );
      await bench.pass(3_000);
      return bench.service.acted.slice(count).map(({ body }) => (body.properties as { plan?: string }).plan);
    };
    await bench.accept(subscription(6, ["Support", "Scale"], { was: ["Scale"] }));
    await bench.pass(3_000);
    expect((await rename("Support", "Help")).filter((plan) => plan !== "Scale")).toEqual([]);
    expect(await rename("Scale", "Scale 2")).toEqual(["Scale 2"]);
  });

  describe("stays however often the items beside it change", () => {
    const EXTRAS = Array.from({ length: 20 }, (_, n) => `Extra ${n}`);
    const changes = EXTRAS.map((extra, n) =>
      subscription(n + 1, [extra, "Pro"], { was: n === 0 ? ["Pro"] : [EXTRAS[n - 1] as string, "Pro"] }),
    );
    const untold = EXTRAS.map((extra, n) => subscription(n + 1, [extra, "Pro"]));

    it.each([
      ["in order", (all: readonly PlannedWebhook[]) => all],
      [
        "with each pair of webhooks in reverse",
        (all: readonly PlannedWebhook[]) => all.flatMap((one, n) => (n % 2 === 0 ? [all[n + 1], one] : [])),
      ],
    ] as const)("%s", async (_, ordered) => {
      const bench = await createBench();
      await bench.acceptAll([...names, link, created]);
      await bench.pass(5_000);
      for (const webhook of ordered(changes)) {
        await bench.accept(webhook);
        await bench.pass(3_000);
      }
      // So late that its place among the others is not known any more.
      await bench.accept(subscription(2.5, ["Extra late", "Pro"]));
      await bench.pass(3_000);
      const bodies = bench.service.acted.map(({ body }) => body);
      const plans = bodies.flatMap(({ properties }) => (properties as { plan?: string } | undefined)?.plan ?? []);
      expect(new Set(plans)).toEqual(new Set(["Pro"]));
      const told = bodies.flatMap(({ eventName, eventProperties }) =>
        eventName === "upgraded" || eventName === "downgraded" || eventName === "planChanged" ? [eventProperties] : [],
      );
      for (const properties of told) expect(properties).toMatchObject({ plan: "Pro", previousPlan: "Pro" });
      const state = await bench.inside((_, { storage: { sql } }) =>
        sql.exec<{ subscriptions: string }>("SELECT subscriptions FROM contacts WHERE subscriptions <> ''").toArray(),
      );
      const stored = JSON.stringify(state);
      expect(EXTRAS.filter((extra) => stored.includes(extra)).length).toBeLessThan(12);
    });

    it("by webhooks that tell no former items", async () => {
      const bench = await createBench();
      await bench.acceptAll([...names, link, created]);
      await bench.pass(5_000);
      for (const webhook of untold) {
        await bench.accept(webhook);
        await bench.pass(3_000);
      }
      const end = subscription(30, ["Support", "Pro"], { status: "past_due", former: { status: "active" } });
      await bench.accept(end);
      await bench.pass(3_000);
      expect(bench.service.acted.find(({ body }) => body.eventName === "pastDue")?.body).toMatchObject({
        eventProperties: { plan: "Pro" },
      });
    });
  });

  it("is forgotten with a person who is erased", async () => {
    const bench = await createBench();
    await bench.acceptAll([link, created, withSupport, subscription(2, ["Support", "Pro"])]);
    await bench.pass(5_000);
    await bench.ask((outbox) => outbox.erase(ada, undefined, {}));
    await bench.accept(subscription(3, ["Support", "Pro"]));
    const texts = await bench.inside((_, { storage: { sql } }) =>
      JSON.stringify([
        sql.exec("SELECT deliveries FROM webhooks").toArray(),
        sql.exec("SELECT * FROM contacts").toArray(),
      ]),
    );
    expect(texts).not.toContain("ada@example.com");
  });
});
