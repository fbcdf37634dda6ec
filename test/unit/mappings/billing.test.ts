import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import chargebee from "../../../src/mappings/chargebee.ts";
import lemonsqueezy from "../../../src/mappings/lemon-squeezy.ts";
import paddle from "../../../src/mappings/paddle.ts";
import polar from "../../../src/mappings/polar.ts";
import revenuecat from "../../../src/mappings/revenuecat.ts";
import shopify from "../../../src/mappings/shopify.ts";
import stripe from "../../../src/mappings/stripe.ts";
import { decimal, moneyOf } from "../../../src/rules/billing/decimal.ts";
import {
  changedInterval,
  direction,
  intervalOf,
  perMonth,
  type Recurring,
} from "../../../src/rules/billing/monthly.ts";
import { formerRecurring, planOf, recurringOf } from "../../../src/rules/billing/stripe-items.ts";
import { plan } from "../../../src/rules/evaluate.ts";
import type { PlannedCall, RuleSet } from "../../../src/rules/types.ts";
import { became, before } from "../../../src/rules/values/changed.ts";
import { clip, shortLink } from "../../../src/rules/values/clip.ts";
import { iso } from "../../../src/rules/values/iso.ts";
import { locale } from "../../../src/rules/values/locale.ts";
import type { Envelope } from "../../../src/webhook.ts";

const MAPPINGS: Readonly<Record<string, RuleSet>> = {
  ...{ stripe, paddle, lemonsqueezy, polar, chargebee, revenuecat, shopify },
};
const SENT = Date.UTC(2025, 10, 12, 12);
const FIXTURES = join(import.meta.dirname, "../..", "fixtures");

// biome-ignore lint/suspicious/noExplicitAny: a recorded body, as a test changes it
type Body = any;

const namesOf = (provider: string) =>
  readdirSync(join(FIXTURES, provider))
    .filter((file) => file.endsWith(".json") && !file.endsWith(".headers.json"))
    .map((file) => file.slice(0, -".json".length));

const bodyOf = (provider: string, name: string): Body =>
  JSON.parse(readFileSync(join(FIXTURES, provider, `${name}.json`), "utf8"));

/** A recorded webhook read as the door reads it, and what its rules plan. */
const planFor = async (provider: string, name: string, change: (body: Body) => void = () => {}) => {
  const ruleSet = MAPPINGS[provider] as RuleSet;
  const body = bodyOf(provider, name);
  change(body);
  const beside = join(FIXTURES, provider, `${name}.headers.json`);
  const headers = new Headers(existsSync(beside) ? JSON.parse(readFileSync(beside, "utf8")) : {});
  const request = { method: "POST", url: `https://bridge.test/hooks/${provider}`, headers, raw: JSON.stringify(body) };
  const webhook: Envelope = await ruleSet.handler.read(request, body, SENT);
  return { webhook, ...plan(ruleSet, { ...webhook, source: provider }) };
};

type Event = Record<string, unknown> & { name: string };
const eventsOf = (calls: readonly PlannedCall[]): Event[] =>
  calls.flatMap((call) => (call.action === "event" ? [{ name: call.eventName, ...call.eventProperties }] : []));
const eventNames = async (provider: string, ...names: string[]) => {
  const planned = await Promise.all(names.map((name) => planFor(provider, name)));
  return planned.flatMap(({ calls }) => eventsOf(calls).map(({ name }) => name));
};
const event = async (provider: string, name: string, change?: (body: Body) => void) =>
  eventsOf((await planFor(provider, name, change)).calls)[0];
const propertiesOf = async (provider: string, name: string): Promise<Record<string, unknown>> =>
  Object.assign(
    {},
    ...(await planFor(provider, name)).calls.flatMap((c) => (c.action === "contact" ? [c.properties] : [])),
  );
const contactsOf = async (provider: string, name: string) =>
  (await planFor(provider, name)).calls.map(({ contact }) => contact);
const linksOf = async (provider: string, name: string) => (await planFor(provider, name)).links;

describe.each(Object.entries(MAPPINGS))("%s", (provider, { rules }) => {
  const all = () => Promise.all(namesOf(provider).map(async (name) => ({ name, ...(await planFor(provider, name)) })));

  test("every rule is reached by a recorded webhook, and none throws on any", async () => {
    const outcomes = (await all()).flatMap(({ outcomes }) => outcomes);
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const reached = new Set(outcomes.filter(({ outcome }) => outcome === "matched").map(({ rule }) => rule));
    expect(rules.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  test("every condition is false for some recorded webhook", async () => {
    const outcomes = (await all()).flatMap(({ outcomes }) => outcomes);
    const missed = new Set(outcomes.filter(({ outcome }) => outcome === "not matched").map(({ rule }) => rule));
    expect(rules.filter(({ name, when }) => when && !missed.has(name)).map(({ name }) => name)).toEqual([]);
  });

  test("a case is named after its type, and all are of different events", async () => {
    const webhooks = await all();
    for (const { name, webhook } of webhooks)
      expect(name).toMatch(new RegExp(`^${webhook.type.replace("/", ".")}(\\.|$)`));
    // The samples that `npm run demo` sends get an id when they are sent.
    const ids = webhooks.map(({ webhook }) => webhook.id).filter((id) => id !== "evt_1STdK4B7h3m8QwZx0R5yJdLa");
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    expect(webhooks.filter(({ webhook }) => webhook.digest)).toEqual([]);
  });

  test("changes nobody's choices, forgets nobody, and mails only from Stripe", async () => {
    const calls = (await all()).flatMap(({ calls }) => calls);
    const written = calls.flatMap((call) => (call.action === "contact" ? Object.keys(call.properties) : []));
    expect(written).not.toContain("subscribed");
    expect(calls.filter((call) => call.action === "contact" && call.lists)).toEqual([]);
    expect(calls.filter(({ action }) => action === "delete")).toEqual([]);
    expect(calls.some(({ action }) => action === "transactional")).toBe(provider === "stripe");
  });

  test("keeps every text within what the host takes, even where the provider's have no bound", async () => {
    const lengthen = (value: Body): Body => {
      if (typeof value !== "object" || value === null) return value;
      for (const key of Object.keys(value)) {
        const long = [
          "comment",
          "reason",
          "first_name",
          "last_name",
          "user_name",
          "note",
          "error_text",
          "tracking_company",
        ];
        if (long.some((part) => key.includes(part)) && typeof value[key] === "string" && !isCode(value[key])) {
          value[key] = `${"long ".repeat(200)}😀`;
        } else lengthen(value[key]);
      }
      return value;
    };
    // Values that rules compare, rather than hand on.
    const isCode = (text: string) => /^[a-z_]+$|^[A-Z_]+$/.test(text);
    for (const name of namesOf(provider)) {
      const { calls, outcomes } = await planFor(provider, name, lengthen);
      expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      for (const call of calls) {
        const values =
          call.action === "contact" ? call.properties : call.action === "event" ? call.eventProperties : {};
        for (const [key, value] of Object.entries(values)) {
          if (typeof value === "string") expect(value.length, `${name} ${key}`).toBeLessThanOrEqual(500);
        }
      }
    }
  });

  test("a number beside every amount, with the same digits, and times in one form", async () => {
    for (const { name, calls } of await all()) {
      for (const properties of eventsOf(calls)) {
        for (const [key, value] of Object.entries(properties)) {
          if (/(At|Ends)$/.test(key))
            expect(value, `${name} ${key}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          if (!/amount$/i.test(key)) continue;
          const number = properties[`${key}Value`];
          expect([typeof value, typeof number, typeof properties.currency], name).toEqual([
            "string",
            "number",
            "string",
          ]);
          expect(digits(String(value)), `${name} ${key}`).toBe(
            digits(written(Number(number), String(properties.currency))),
          );
        }
      }
    }
  });
});

const digits = (text: string) => text.replace(/[^0-9]/g, "").replace(/^0+(?=.)/, "");
const written = (value: number, currency: string) =>
  currency.toLowerCase() === "jpy" ? String(value) : value.toFixed(2);

describe("what Stripe's update of a subscription means", () => {
  const DERIVED = [
    "upgraded",
    "downgraded",
    "cancelScheduled",
    "reactivated",
    "pastDue",
    "recovered",
    "trialEnding",
    "planChanged",
  ];
  const UPDATED = "customer.subscription.updated";
  const MEANINGS: Readonly<Record<string, string[]>> = {
    "": ["cancelScheduled"],
    ".upgraded": ["upgraded"],
    ".upgraded.quantity": ["upgraded"],
    ".upgraded.several-items": ["upgraded"],
    ".upgraded.with-metered": ["upgraded"],
    ".upgraded.other-metered": ["upgraded"],
    ".upgraded.metered-added": ["upgraded"],
    ".upgraded.tiered": ["upgraded"],
    ".upgraded.old-api": ["upgraded"],
    ".downgraded": ["downgraded"],
    ".plan-changed.yearly": ["planChanged"],
    ".downgraded.old-api-quantity": ["downgraded"],
    ".cancel-scheduled.by-date": ["cancelScheduled"],
    ".reactivated": ["reactivated"],
    ".past-due": ["pastDue"],
    ".past-due.cancel-scheduled": ["cancelScheduled", "pastDue"],
    ".recovered": ["recovered"],
    // Nothing of these is any of it.
    ".metadata": [],
    ".metered": [],
    ".renewed": [],
    ".renewed.old-api": [],
    ".same-price": [],
    ".trial-converted": [],
    ".unpaid": [],
  };

  test.each(Object.entries(MEANINGS))("%s", async (variant, meanings) => {
    expect(await eventNames("stripe", UPDATED + variant)).toEqual(meanings);
  });

  test("is known of every recorded update, and told by no other webhook but the end of a trial", async () => {
    const updates = namesOf("stripe").filter((name) => name.startsWith(UPDATED));
    expect(updates.toSorted()).toEqual(
      Object.keys(MEANINGS)
        .map((variant) => UPDATED + variant)
        .toSorted(),
    );
    const others = namesOf("stripe").filter((name) => !name.startsWith(UPDATED));
    const told = (await eventNames("stripe", ...others)).filter((name) => DERIVED.includes(name));
    expect(told).toEqual(["trialEnding"]);
  });

  test("is nothing where the update does not say what was before", async () => {
    for (const variant of Object.keys(MEANINGS)) {
      for (const former of [undefined, {}]) {
        const change = (body: Body) => Object.assign(body.data, { previous_attributes: former });
        expect(eventsOf((await planFor("stripe", UPDATED + variant, change)).calls), variant).toEqual([]);
      }
    }
  });

  test("turns round with the update", async () => {
    const turned = (body: Body) => {
      const { object, previous_attributes: former } = body.data;
      const now = Object.fromEntries(Object.keys(former).map((key) => [key, object[key]]));
      Object.assign(object, former);
      body.data.previous_attributes = now;
    };
    const opposite: Record<string, string> = {
      ...{
        upgraded: "downgraded",
        downgraded: "upgraded",
        cancelScheduled: "reactivated",
        reactivated: "cancelScheduled",
      },
      ...{ pastDue: "recovered", recovered: "pastDue", planChanged: "planChanged" },
    };
    for (const [variant, meanings] of Object.entries(MEANINGS)) {
      if (variant.includes("old-api")) continue; // their items have no former list to swap
      const told = eventsOf((await planFor("stripe", UPDATED + variant, turned)).calls).map(({ name }) => name);
      expect(told.toSorted(), variant).toEqual(meanings.map((name) => opposite[name]).toSorted());
    }
  });

  test("amounts are per month", async () => {
    expect(await event("stripe", `${UPDATED}.plan-changed.yearly`)).toEqual({
      ...{ name: "planChanged", plan: "Pro yearly", previousPlan: "Pro", currency: "usd" },
      ...{ monthlyAmount: "$24.17", monthlyAmountValue: 24.17, previousMonthlyAmountValue: 29 },
      ...{ interval: "year", previousInterval: "month" },
    });
    expect(await event("stripe", `${UPDATED}.downgraded`)).toMatchObject({ name: "downgraded", interval: "month" });
    expect(await event("stripe", `${UPDATED}.upgraded.old-api`)).toMatchObject({ plan: "Team", previousPlan: "Pro" });
    const quarterly = (body: Body) => {
      // 29 a month to 75 a quarter is cheaper, though the number is larger.
      const [item] = body.data.object.items.data;
      Object.assign(item.price, { unit_amount: 7500, unit_amount_decimal: "7500" });
      item.price.recurring.interval_count = 3;
      item.price.product = "prod_other";
    };
    expect(await event("stripe", `${UPDATED}.upgraded`, quarterly)).toMatchObject({
      ...{ name: "downgraded", interval: "3 months", monthlyAmountValue: 25 },
    });
    const same = (body: Body) => {
      quarterly(body);
      body.data.object.items.data[0].price.product = { id: body.data.previous_attributes.items.data[0].price.product };
    };
    expect(await event("stripe", `${UPDATED}.upgraded`, same)).toMatchObject({
      ...{ name: "planChanged", interval: "3 months", previousInterval: "month" },
    });
  });

  test("another currency, tiers, or use: neither", async () => {
    const changes: ((item: Body) => void)[] = [
      (item) => Object.assign(item.price, { currency: "eur" }),
      (item) => Object.assign(item.price, { billing_scheme: "tiered", unit_amount: null, unit_amount_decimal: null }),
      (item) => Object.assign(item.price.recurring, { usage_type: "metered" }),
    ];
    for (const change of changes) {
      const { calls, outcomes } = await planFor("stripe", `${UPDATED}.upgraded`, (b) =>
        change(b.data.object.items.data[0]),
      );
      expect(eventsOf(calls)).toEqual([]);
      expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    }
  });

  test("by tiers, or by use beside a fixed price: what can be compared is", async () => {
    const tiered = await event("stripe", `${UPDATED}.upgraded.tiered`);
    expect(tiered).toEqual({
      name: "upgraded",
      plan: "Seat",
      previousPlan: "Seat",
      currency: "usd",
      interval: "month",
    });
    const metered = await event("stripe", `${UPDATED}.upgraded.other-metered`);
    expect(metered).toMatchObject({ name: "upgraded", monthlyAmountValue: 99, previousMonthlyAmountValue: 29 });
    const onlyUse = (body: Body) => {
      for (const { items } of [body.data.object, body.data.previous_attributes]) items.data.shift();
    };
    expect(await event("stripe", `${UPDATED}.upgraded.other-metered`, onlyUse)).toBeUndefined();
  });

  test("a plan's name that is too long is cut", async () => {
    const long = (body: Body) => {
      for (const { items } of [body.data.object, body.data.previous_attributes])
        items.data[0].price.nickname = "x".repeat(600);
    };
    const { calls } = await planFor("stripe", `${UPDATED}.upgraded`, long);
    expect(calls[0]).toMatchObject({ properties: { plan: expect.stringMatching(/^x{497}…$/) } });
    expect(eventsOf(calls)[0]).toMatchObject({ previousPlan: expect.stringMatching(/^x{497}…$/) });
  });

  test("fractions of a cent count", async () => {
    const fraction = (item: Body, decimal: string) =>
      Object.assign(item.price, { unit_amount: null, unit_amount_decimal: decimal });
    const change = (was: string, is: string) => (body: Body) => {
      fraction(body.data.object.items.data[0], is);
      fraction(body.data.previous_attributes.items.data[0], was);
    };
    expect((await event("stripe", `${UPDATED}.upgraded`, change("0.05", "0.06")))?.name).toBe("upgraded");
    expect((await event("stripe", `${UPDATED}.upgraded`, change("0.06", "0.05")))?.name).toBe("downgraded");
  });

  test("a cancellation by date that is not the period's end is scheduled, but not at its end", async () => {
    const later = (body: Body) => {
      body.data.object.cancel_at += 86_400;
    };
    const { calls } = await planFor("stripe", `${UPDATED}.cancel-scheduled.by-date`, later);
    expect(calls[0]).toMatchObject({ properties: { cancelAtPeriodEnd: false } });
    expect(eventsOf(calls)[0]).toMatchObject({ name: "cancelScheduled", endsAt: "2025-12-13T12:00:00.000Z" });
  });

  test("a subscription that ends at once neither cancels ahead nor comes back nor recovers", async () => {
    for (const variant of ["", ".reactivated", ".recovered", ".past-due"]) {
      const ended = (body: Body) => Object.assign(body.data.object, { status: "canceled" });
      expect(eventsOf((await planFor("stripe", UPDATED + variant, ended)).calls), variant).toEqual([]);
    }
  });

  test("the period's end is found where each API version has it", async () => {
    expect(await propertiesOf("stripe", `${UPDATED}.renewed`)).toMatchObject({
      currentPeriodEnd: "2026-01-12T12:00:00.000Z",
    });
    expect(await propertiesOf("stripe", `${UPDATED}.renewed.old-api`)).toMatchObject({
      currentPeriodEnd: "2026-01-12T12:00:00.000Z",
      plan: "Pro",
    });
  });

  test("the end of a trial is told ahead, not when it is over", async () => {
    expect(await event("stripe", "customer.subscription.trial_will_end")).toMatchObject({
      name: "trialEnding",
      trialEndsAt: "2025-12-04T00:53:20.000Z",
    });
    expect(await eventNames("stripe", "customer.subscription.trial_will_end.ended-now")).toEqual([]);
    const cancelled = (body: Body) => Object.assign(body.data.object, { status: "canceled" });
    expect(await event("stripe", "customer.subscription.trial_will_end", cancelled)).toBeUndefined();
  });
});

describe("dearer and cheaper", () => {
  const item = fc.record<Recurring>({
    price: fc.constantFrom("a", "b", "c"),
    currency: fc.constant("usd"),
    amount: fc.integer({ min: 0, max: 10_000_000 }),
    quantity: fc.integer({ min: 0, max: 1_000 }),
    interval: fc.constantFrom("day", "week", "month", "year"),
    count: fc.integer({ min: 1, max: 12 }),
  });
  const items = fc.array(item, { minLength: 1, maxLength: 4 });

  test("are each other's opposite", () => {
    fc.assert(
      fc.property(items, items, (was, is) => {
        const there = direction(was, is);
        const back = direction(is, was);
        expect(there).toBeDefined();
        expect((there ?? 0) + (back ?? 0)).toBe(0);
      }),
    );
  });

  test("the same, in whatever order, is neither", () => {
    fc.assert(
      fc.property(items, (given) => {
        expect(direction(given, given.toReversed())).toBe(0);
      }),
    );
  });

  test("a year for the price of twelve months is neither, and one unit more is dearer", () => {
    fc.assert(
      fc.property(item, fc.integer({ min: 1, max: 1_000 }), (any, quantity) => {
        const month = { ...any, interval: "month", count: 1, quantity, amount: (any.amount ?? 0) + 1 };
        const year = { ...month, interval: "year", amount: month.amount * 12 };
        expect(direction([month], [year])).toBe(0);
        expect(direction([month], [{ ...month, interval: "year", amount: month.amount * 12 + 1 }])).toBe(1);
        expect(direction([month], [{ ...month, quantity: quantity + 1 }])).toBe(1);
        expect(direction([month], [{ ...month, interval: "month", count: 12, amount: month.amount * 12 }])).toBe(0);
      }),
    );
  });

  test("cannot be told across currencies, by use that differs, or of nothing", () => {
    const one: Recurring = { price: "a", currency: "usd", amount: 100, quantity: 1, interval: "month", count: 1 };
    const open: Recurring = { ...one, price: "use", amount: undefined };
    expect(direction([one], [{ ...one, currency: "eur", amount: 200 }])).toBeUndefined();
    expect(direction([one, { ...one, currency: "eur" }], [one])).toBeUndefined();
    expect(direction([one], [{ ...one, amount: 200 }, open])).toBeUndefined();
    expect(direction([one, open], [{ ...one, amount: 200 }, open])).toBe(1);
    expect(direction([open], [open])).toBe(0);
    expect(direction([open], [{ ...open, quantity: 2 }])).toBe(1);
    expect(direction([{ ...open, quantity: 3 }], [{ ...open, quantity: 2 }])).toBe(-1);
    expect(direction([open], [{ ...open, price: "other", quantity: 2 }])).toBeUndefined();
    expect(
      direction(
        [one, open],
        [
          { ...one, amount: 200 },
          { ...open, price: "other" },
        ],
      ),
    ).toBeUndefined();
    // Dearer seats and fewer units in tiers.
    expect(direction([one, { ...open, quantity: 2 }], [{ ...one, amount: 200 }, open])).toBeUndefined();
    expect(direction([], [])).toBeUndefined();
    expect(direction([one], [{ ...one, interval: "fortnight" }])).toBeUndefined();
    expect(perMonth([{ ...one, interval: "year", amount: 29_000 }])).toBeCloseTo(2416.667, 3);
  });

  test("use says nothing, and what is beside it does", () => {
    const one: Recurring = { price: "a", currency: "usd", amount: 100, quantity: 1, interval: "month", count: 1 };
    const [calls, tokens] = ["calls", "tokens"].map((price) => ({ ...one, price, amount: undefined, metered: true }));
    if (!calls || !tokens) throw new Error("unreachable");
    const dear = { ...one, price: "b", amount: 200 };
    expect(direction([one, calls], [dear, tokens])).toBe(1);
    expect(direction([dear, calls], [one, tokens])).toBe(-1);
    expect(direction([one], [dear, calls])).toBe(1);
    expect(direction([dear, calls], [one])).toBe(-1);
    expect(direction([one], [one, calls])).toBe(0);
    expect(direction([calls], [tokens])).toBeUndefined();
    expect(direction([calls], [calls])).toBeUndefined();
    expect(direction([calls], [one, calls])).toBeUndefined();
    expect(direction([one], [calls])).toBeUndefined();
  });

  test("a product that stays in another interval is known, and no other change is taken for one", () => {
    const month: Recurring = {
      ...{ price: "a", product: "pro", currency: "usd", amount: 100, quantity: 1, interval: "month", count: 1 },
    };
    const year = { ...month, price: "b", interval: "year" };
    const use = { ...month, price: "use", amount: undefined, metered: true };
    expect(changedInterval([month], [year])).toBe(true);
    expect(changedInterval([{ ...month, count: 12 }], [year])).toBe(false);
    expect(changedInterval([month], [{ ...month, count: 3 }])).toBe(true);
    expect(changedInterval([month, use], [year, use])).toBe(true);
    expect(changedInterval([month], [year, { ...month, product: "seats" }])).toBe(true);
    expect(changedInterval([month], [{ ...year, product: "team" }])).toBe(false);
    expect(changedInterval([month], [{ ...month, price: "dearer", amount: 300 }])).toBe(false);
    expect(changedInterval([{ ...month, product: undefined }], [{ ...year, product: undefined }])).toBe(false);
    expect(intervalOf([month, use])).toBe("month");
    expect(
      intervalOf([
        { ...month, count: 6 },
        { ...use, interval: "year" },
      ]),
    ).toBe("6 months");
    expect(intervalOf([month, year])).toBeUndefined();
    expect(intervalOf([])).toBeUndefined();
  });

  test("packages are charged whole", () => {
    const subscription = (quantity: number, round: string) => ({
      items: { data: [{ quantity, price: { unit_amount: 500, transform_quantity: { divide_by: 10, round } } }] },
    });
    expect(recurringOf(subscription(11, "up"))[0]?.quantity).toBe(2);
    expect(recurringOf(subscription(19, "down"))[0]?.quantity).toBe(1);
    expect(planOf({ items: { data: [] } })).toBeUndefined();
  });

  test("a former plan that comes without its price is not given the newer price", () => {
    const price = { id: "team", currency: "usd", unit_amount: 9900, recurring: { interval: "month" } };
    const plan = { id: "team", currency: "usd", amount: 9900, interval: "month" };
    const object = { items: { data: [{ id: "si_1", quantity: 1, price, plan }] }, plan };
    const former = { ...plan, id: "pro", amount: 2900 };
    const shapes: object[] = [{ plan: former }, { items: { data: [{ id: "si_1", quantity: 1, plan: former }] } }];
    for (const previous_attributes of shapes) {
      expect(formerRecurring({ object, previous_attributes })).toMatchObject([{ price: "pro", amount: 2900 }]);
    }
    expect(formerRecurring({ object, previous_attributes: { quantity: 3 } as object })).toMatchObject([
      { price: "team", amount: 9900, quantity: 3 },
    ]);
  });

  test("former items that tell only what changed keep the rest", () => {
    const object = {
      items: {
        data: [
          {
            id: "si_1",
            quantity: 5,
            price: { id: "p", currency: "usd", unit_amount: 900, recurring: { interval: "month" } },
          },
        ],
      },
    };
    const former = { items: { data: [{ id: "si_1", quantity: 2 }] } } as Partial<typeof object>;
    expect(formerRecurring({ object, previous_attributes: former })).toMatchObject([{ amount: 900, quantity: 2 }]);
    expect(formerRecurring({ object, previous_attributes: {} })).toBeUndefined();
  });
});

describe("one purchase", () => {
  const count = async (what: string, provider: string, ...names: string[]) =>
    (await eventNames(provider, ...names)).filter((name) => name === what).length;

  const SUBSCRIBED: Readonly<Record<string, string[]>> = {
    stripe: [
      "checkout.session.completed",
      "customer.created",
      "customer.subscription.created",
      "invoice.finalized",
      "invoice.paid.first",
    ],
    paddle: [
      "customer.created",
      "subscription.created",
      "subscription.activated",
      "transaction.paid",
      "transaction.completed",
    ],
    lemonsqueezy: ["order_created", "subscription_created", "subscription_payment_success", "subscription_updated"],
    polar: [
      "customer.created",
      "order.created",
      "subscription.created",
      "subscription.active",
      "subscription.updated",
      "order.paid",
      "order.updated",
    ],
    chargebee: ["customer_created", "subscription_created", "payment_succeeded"],
    revenuecat: ["INITIAL_PURCHASE"],
  };

  test.each(Object.entries(SUBSCRIBED))("%s: a new subscription starts once", async (provider, names) => {
    expect(await count("subscriptionStarted", provider, ...names)).toBe(1);
    // Chargebee and the app stores tell of no checkout.
    const checkouts = await count("checkoutCompleted", provider, ...names);
    expect(checkouts).toBe(provider === "chargebee" || provider === "revenuecat" ? 0 : 1);
    for (const other of ["subscriptionRenewed", "recovered", "upgraded", "downgraded", "reactivated", "planChanged"]) {
      expect(await count(other, provider, ...names), other).toBe(0);
    }
  });

  test("with a trial, and one that starts later", async () => {
    expect(await count("subscriptionStarted", "paddle", "subscription.created.trialing", "subscription.trialing")).toBe(
      1,
    );
    const later = ["subscription_created.future", "subscription_started"];
    expect(await count("subscriptionStarted", "chargebee", ...later)).toBe(1);
    const trial = ["subscription_created.trial", "subscription_trial_end_reminder", "subscription_activated"];
    expect(await count("subscriptionStarted", "chargebee", ...trial)).toBe(1);
    expect(await count("subscriptionStarted", "paddle", "subscription.imported")).toBe(0);
  });

  test("one receipt, from Stripe", async () => {
    const planned = await Promise.all((SUBSCRIBED.stripe ?? []).map((name) => planFor("stripe", name)));
    expect(planned.flatMap(({ calls }) => calls).filter(({ action }) => action === "transactional")).toHaveLength(1);
    const debit = ["checkout.session.completed.unpaid", "checkout.session.async_payment_succeeded"];
    const later = await Promise.all(debit.map((name) => planFor("stripe", name)));
    expect(later.flatMap(({ calls }) => calls.map(({ action }) => action))).toEqual([
      "contact",
      "event",
      "transactional",
    ]);
  });

  test("a renewal at Stripe costs one call, its receipt; any other paid invoice is an event", async () => {
    expect((await planFor("stripe", "invoice.paid")).calls.map(({ action }) => action)).toEqual(["transactional"]);
    const manual = (body: Body) => Object.assign(body.data.object, { billing_reason: "manual" });
    expect((await planFor("stripe", "invoice.paid", manual)).calls.map(({ action }) => action)).toEqual([
      "contact",
      "event",
    ]);
  });

  test("a subscription that Polar cancels at once is not scheduled to end", async () => {
    const now = (body: Body) => Object.assign(body.data, { cancel_at_period_end: false });
    expect(await event("polar", "subscription.canceled", now)).toBeUndefined();
  });

  test("an order of a shop is completed once, when it is paid", async () => {
    const names = [
      "checkouts.create",
      "checkouts.update",
      "orders.create",
      "orders.paid",
      "checkouts.update.completed",
    ];
    expect(await count("orderCompleted", "shopify", ...names)).toBe(1);
    expect(await propertiesOf("shopify", "orders.paid")).toMatchObject({ checkoutUrl: null, checkoutOpenedAt: null });
  });

  test("is refunded once", async () => {
    expect(await count("refunded", "lemonsqueezy", "order_refunded", "subscription_payment_refunded.first")).toBe(1);
    expect(
      await count("refunded", "paddle", "adjustment.created.refund-pending", "adjustment.updated.refund-approved"),
    ).toBe(1);
  });
});

describe("amounts", () => {
  test.each([
    ["stripe", "checkout.session.completed.yen", "￥4,900"],
    ["paddle", "transaction.completed.yen", "¥4,900"],
    ["lemonsqueezy", "order_created.yen", "¥4,900"],
    ["polar", "order.paid.yen", "￥4,900"],
    ["chargebee", "payment_succeeded.yen", "￥4,900"],
  ])("%s: yen have no hundredths", async (provider, name, amount) => {
    expect(await event(provider, name)).toMatchObject({ amount, amountValue: 4900 });
    expect(await propertiesOf(provider, name)).toMatchObject({ lastPurchaseAmount: 4900 });
  });

  test("of decimals", async () => {
    expect(await event("revenuecat", "INITIAL_PURCHASE.yen")).toMatchObject({
      amount: "¥1,200",
      amountValue: 1200,
      currency: "JPY",
    });
    expect(await event("revenuecat", "NON_RENEWING_PURCHASE")).toMatchObject({ amount: "€4.99", amountValue: 4.99 });
    expect(await event("shopify", "orders.paid")).toMatchObject({
      amount: "£46.95",
      amountValue: 46.95,
      currency: "GBP",
    });
    expect(await event("shopify", "orders.paid.yen")).toMatchObject({
      amount: "￥9,350",
      amountValue: 9350,
      currency: "JPY",
    });
    expect(await event("shopify", "refunds.create.two-payments")).toMatchObject({
      amount: "£30.30",
      amountValue: 30.3,
    });
  });

  test("of a refund, this one's where the provider tells it", async () => {
    expect(await event("stripe", "charge.refunded")).toMatchObject({ amount: "$29.00", amountValue: 29, full: true });
    expect(await event("stripe", "charge.refunded.partial")).toMatchObject({
      amount: "$5.00",
      amountValue: 5,
      full: false,
    });
    expect(await event("stripe", "charge.refunded.guest-yen")).toMatchObject({ amount: "¥4,900", amountValue: 4900 });
    expect(await event("revenuecat", "CANCELLATION.refund")).toMatchObject({ name: "refunded", amountValue: 9.99 });
    // Some tell what was given back so far, and no more.
    expect(await event("stripe", "charge.refunded.partial")).toMatchObject({
      ...{ totalRefunded: "$15.00", totalRefundedValue: 15 },
    });
    for (const [provider, name, totalRefundedValue] of [
      ["polar", "order.refunded.partial", 12],
      ["lemonsqueezy", "order_refunded.partial", 10],
    ] as const) {
      const told = await event(provider, name);
      expect(told).toMatchObject({ totalRefundedValue, full: false });
      expect(Object.keys(told ?? {})).not.toContain("amount");
      expect(Object.keys(told ?? {})).not.toContain("amountValue");
    }
    const without = (body: Body) => delete body.data.attributes.refunded_amount;
    expect(await event("lemonsqueezy", "order_refunded", without)).toMatchObject({ totalRefundedValue: 29 });
    expect(Object.keys((await event("lemonsqueezy", "order_refunded.partial", without)) ?? {})).toEqual([
      ...["name", "currency", "full"],
    ]);
    const untold = (body: Body) => Object.assign(body.data, { previous_attributes: {} });
    const told = await event("stripe", "charge.refunded.partial", untold);
    expect(told).toMatchObject({ totalRefundedValue: 15 });
    expect(Object.keys(told ?? {})).not.toContain("amount");
  });

  test("are written as the customer reads them", async () => {
    expect((await event("stripe", "checkout.session.async_payment_failed"))?.amount).toBe("29,00\u00a0€");
    expect((await event("polar", "order.paid"))?.amount).toBe("US$34.80");
    const { calls } = await planFor("stripe", "checkout.session.completed.yen");
    const [mail] = calls.flatMap((call) => (call.action === "transactional" ? [call.dataVariables] : []));
    expect(mail).toMatchObject({ amount: "￥4,900", date: "2025年12月2日" });
    const nonsense = (body: Body) => Object.assign(body.data.object, { locale: "auto" });
    expect((await event("stripe", "checkout.session.completed", nonsense))?.amount).toBe("$29.00");
  });

  test("of nothing are no purchase", async () => {
    for (const [provider, name] of [
      ["paddle", "transaction.completed.free-trial"],
      ["lemonsqueezy", "order_created.trial"],
      ["polar", "order.paid.free"],
      ["stripe", "invoice.paid.free"],
      ["revenuecat", "INITIAL_PURCHASE.trial"],
    ] as const) {
      const properties = await propertiesOf(provider, name);
      expect([properties.lastPurchaseAt, properties.lastPurchaseAmount], name).toEqual([undefined, undefined]);
    }
  });
});

describe("what gives no event", () => {
  test.each([
    ["stripe", "charge.dispute.created.no-address"],
    ["stripe", "checkout.session.expired.anonymous"],
    ["stripe", "checkout.session.completed.unpaid"],
    // The customer is on the page, and there is nothing to pay.
    ["stripe", "invoice.payment_failed.first"],
    ["stripe", "invoice.payment_action_required.first"],
    ["stripe", "invoice.finalized.free"],
    ["stripe", "invoice.upcoming.free"],
    ["revenuecat", "INITIAL_PURCHASE.anonymous-email"],
    ["paddle", "transaction.payment_failed.checkout"],
    ["paddle", "transaction.completed.prorated"],
    ["paddle", "subscription.updated.cancel-scheduled"],
    ["paddle", "subscription.updated.price"],
    ["paddle", "adjustment.updated.refund-rejected"],
    ["paddle", "adjustment.created.credit"],
    ["lemonsqueezy", "order_created.pending"],
    ["lemonsqueezy", "subscription_payment_success.updated"],
    ["lemonsqueezy", "subscription_updated.past-due"],
    ["polar", "subscription.active.recovered"],
    ["polar", "subscription.updated.price"],
    ["polar", "subscription.canceled.at-once"],
    ["chargebee", "subscription_changed"],
    ["revenuecat", "CANCELLATION.billing-error"],
    ["revenuecat", "INITIAL_PURCHASE.anonymous"],
    ["shopify", "checkouts.create.no-consent"],
    ["shopify", "checkouts.update"],
    ["shopify", "orders.paid.till"],
    ["shopify", "refunds.create.restock"],
  ])("%s %s", async (provider, name) => {
    expect(await eventNames(provider, name)).toEqual([]);
  });
});

test("a renewal's receipt says what was renewed, not what a change cost before", async () => {
  for (const name of ["invoice.paid", "invoice.paid.proration", "invoice.paid.proration.old-api"]) {
    const { calls } = await planFor("stripe", name);
    expect(calls, name).toMatchObject([{ dataVariables: { description: "1 × Pro (at $29.00 / month)" } }]);
  }
  const only = (body: Body) => body.data.object.lines.data.pop();
  const { calls } = await planFor("stripe", "invoice.paid.proration", only);
  expect(calls).toMatchObject([{ dataVariables: { description: "Remaining time on Team after 20 Nov 2025" } }]);
});

test("a page of an invoice with an address too long is left out, everywhere", async () => {
  const long = (body: Body) =>
    Object.assign(body.data.object, { hosted_invoice_url: `https://x.test/${"x".repeat(600)}` });
  for (const name of namesOf("stripe").filter((name) => name.startsWith("invoice."))) {
    for (const told of eventsOf((await planFor("stripe", name, long)).calls))
      expect(Object.keys(told)).not.toContain("invoiceUrl");
  }
});

test("a card declined at Paddle's checkout is no failed renewal, though it is for a subscription", async () => {
  const again = (body: Body) => Object.assign(body.data, { subscription_id: "sub_01" });
  expect(await event("paddle", "transaction.payment_failed.checkout", again)).toBeUndefined();
});

describe("the same thing has the same name everywhere", () => {
  test.each([
    [
      "subscriptionCanceled",
      {
        stripe: "customer.subscription.deleted",
        paddle: "subscription.canceled",
        lemonsqueezy: "subscription_expired",
        polar: "subscription.revoked",
        chargebee: "subscription_cancelled",
        revenuecat: "EXPIRATION",
      },
    ],
    [
      "cancelScheduled",
      {
        stripe: "customer.subscription.updated",
        lemonsqueezy: "subscription_cancelled",
        polar: "subscription.canceled",
        chargebee: "subscription_cancellation_scheduled",
        revenuecat: "CANCELLATION",
      },
    ],
    [
      "reactivated",
      {
        stripe: "customer.subscription.updated.reactivated",
        lemonsqueezy: "subscription_resumed",
        polar: "subscription.uncanceled",
        chargebee: "subscription_scheduled_cancellation_removed",
        revenuecat: "UNCANCELLATION",
      },
    ],
    [
      "pastDue",
      {
        stripe: "customer.subscription.updated.past-due",
        paddle: "subscription.past_due",
        polar: "subscription.past_due",
      },
    ],
    [
      "recovered",
      { stripe: "customer.subscription.updated.recovered", lemonsqueezy: "subscription_payment_recovered" },
    ],
    ["trialEnding", { stripe: "customer.subscription.trial_will_end", chargebee: "subscription_trial_end_reminder" }],
    [
      "paymentFailed",
      {
        stripe: "invoice.payment_failed",
        paddle: "transaction.payment_failed",
        lemonsqueezy: "subscription_payment_failed",
        chargebee: "payment_failed",
        revenuecat: "BILLING_ISSUE",
      },
    ],
    [
      "refunded",
      {
        stripe: "charge.refunded",
        paddle: "adjustment.updated.refund-approved",
        lemonsqueezy: "order_refunded",
        polar: "order.refunded",
        chargebee: "payment_refunded",
        revenuecat: "CANCELLATION.refund",
        shopify: "refunds.create",
      },
    ],
    ["cardExpiring", { stripe: "customer.source.expiring", chargebee: "card_expiry_reminder" }],
    [
      "customerDeleted",
      {
        stripe: "customer.deleted",
        polar: "customer.deleted",
        chargebee: "customer_deleted",
        shopify: "customers.delete",
      },
    ],
    ["checkoutAbandoned", { stripe: "checkout.session.expired", polar: "checkout.expired" }],
  ] as const)("%s", async (name, fixtures) => {
    for (const [provider, fixture] of Object.entries(fixtures))
      expect(await eventNames(provider, fixture), provider).toEqual([name]);
  });

  test.each([
    ["stripe", "customer.subscription.updated.cancel-scheduled.by-date"],
    ["paddle", "subscription.updated.cancel-scheduled"],
    ["lemonsqueezy", "subscription_cancelled"],
    ["polar", "subscription.canceled"],
    ["chargebee", "subscription_cancellation_scheduled"],
  ])("%s: the state of a subscription", async (provider, name) => {
    expect(await propertiesOf(provider, name)).toMatchObject({
      plan: expect.any(String),
      subscriptionStatus: expect.any(String),
      currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
      cancelAtPeriodEnd: true,
    });
  });

  test("RevenueCat's events make a state", async () => {
    const state = async (name: string) => (await propertiesOf("revenuecat", name)).subscriptionStatus;
    const names = ["INITIAL_PURCHASE.trial", "RENEWAL", "BILLING_ISSUE", "EXPIRATION", "UNCANCELLATION"];
    expect(await Promise.all(names.map(state))).toEqual(["trialing", "active", "past_due", "canceled", "active"]);
    expect(await propertiesOf("revenuecat", "CANCELLATION")).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await propertiesOf("revenuecat", "TRANSFER")).toMatchObject({ plan: null, subscriptionStatus: null });
  });
});

describe("who it is about", () => {
  test.each([
    ["stripe", "customer.updated", "cus_TQ7rX2vLk9WbNd"],
    ["lemonsqueezy", "order_created", "4182733"],
    ["shopify", "customers.create", "7203412345678"],
  ])("%s: a customer's id and address belong together", async (provider, name, id) => {
    expect(await linksOf(provider, name)).toEqual([
      { ref: `${provider}:${id}`, email: expect.stringContaining("@example.com") },
    ]);
  });

  test("Paddle's subscriptions and payments are found through its customers", async () => {
    const [link] = await linksOf("paddle", "customer.created");
    expect(link).toEqual({ ref: expect.stringMatching(/^paddle:ctm_/), email: "ada@example.com" });
    for (const name of ["subscription.created", "transaction.completed", "adjustment.updated.refund-approved"]) {
      expect(await contactsOf("paddle", name)).toContainEqual({ ref: link?.ref });
      expect(await linksOf("paddle", name)).toEqual([]);
    }
  });

  test("Shopify's refunds are found through their order, its deleted customers through the customer", async () => {
    const links = await linksOf("shopify", "orders.paid");
    expect(await contactsOf("shopify", "refunds.create")).toEqual([{ ref: links[0]?.ref }]);
    expect(await contactsOf("shopify", "customers.delete")).toEqual([{ ref: links[1]?.ref }]);
    expect(new Set(links.map(({ email }) => email))).toEqual(new Set(["ada@example.com"]));
  });

  test("a customer without an address is waited for, and is none for an update of the customer", async () => {
    expect(await contactsOf("polar", "subscription.updated.team")).toEqual([{ ref: expect.stringMatching(/^polar:/) }]);
    expect(await contactsOf("chargebee", "subscription_changed.no-email")).toEqual([
      { ref: expect.stringMatching(/^chargebee:/) },
    ]);
    for (const [provider, name] of [
      ["polar", "customer.created.team"],
      ["chargebee", "customer_changed.no-email"],
      ["shopify", "customers.update.phone-only"],
      ["stripe", "customer.updated.no-email"],
    ] as const) {
      const { calls, links } = await planFor(provider, name);
      expect([calls, links], name).toEqual([[], []]);
    }
  });

  test("an id that a buyer can write is nobody's user id", async () => {
    for (const provider of ["stripe", "paddle", "lemonsqueezy", "polar", "chargebee", "shopify"]) {
      for (const name of namesOf(provider)) {
        const { calls, links } = await planFor(provider, name);
        expect(
          [...calls.map(({ contact }) => contact), ...links].filter(({ userId }) => userId),
          name,
        ).toEqual([]);
      }
    }
  });

  test("RevenueCat's own ids are nobody's, and what it says of an address joins nobody", async () => {
    for (const name of namesOf("revenuecat")) {
      const { calls, links } = await planFor("revenuecat", name);
      expect(links).toEqual([]);
      for (const { contact } of calls) expect(contact.userId ?? "").not.toContain("$RCAnonymousID");
    }
    // The app on the person's device writes `$email`: anybody's address.
    for (const name of namesOf("revenuecat"))
      for (const { email } of await contactsOf("revenuecat", name)) expect(email, name).toBeUndefined();
    expect(await contactsOf("revenuecat", "INITIAL_PURCHASE.anonymous-email")).toEqual([]);
    expect(await contactsOf("revenuecat", "RENEWAL")).toContainEqual({ userId: "42" });
    expect(await contactsOf("revenuecat", "TRANSFER.from-anonymous")).toEqual([{ userId: "42" }]);
  });

  test("a deleted customer is no longer told as somebody", async () => {
    for (const [provider, name] of [
      ["stripe", "customer.deleted"],
      ["polar", "customer.deleted"],
      ["chargebee", "customer_deleted"],
    ] as const) {
      expect(await linksOf(provider, name), provider).toEqual([]);
    }
  });

  test("a guest's charge is about the address", async () => {
    expect(await contactsOf("stripe", "charge.refunded.guest-yen")).toEqual([{ email: "grace@example.com" }]);
    expect(await contactsOf("stripe", "charge.refunded")).toEqual([{ ref: "stripe:cus_TQ7rX2vLk9WbNd" }]);
  });
});

describe("test data", () => {
  test.each([
    ["lemonsqueezy", "order_created.test"],
    ["revenuecat", "INITIAL_PURCHASE.sandbox"],
    ["shopify", "orders.paid.test"],
  ])("%s %s is known as such, alone of its provider's", async (provider, name) => {
    const tests = [];
    for (const each of namesOf(provider)) if ((await planFor(provider, each)).webhook.test) tests.push(each);
    expect(tests).toEqual([name]);
  });
});

describe("of one second", () => {
  test.each([
    [stripe, ["customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted"]],
    [stripe, ["customer.subscription.created", "customer.subscription.trial_will_end", "customer.subscription.paused"]],
    [stripe, ["customer.created", "customer.updated", "customer.deleted"]],
    [lemonsqueezy, ["subscription_created", "subscription_updated", "subscription_cancelled", "subscription_expired"]],
    [
      chargebee,
      ["subscription_created", "subscription_changed", "subscription_cancellation_scheduled", "subscription_cancelled"],
    ],
    [chargebee, ["customer_created", "customer_changed", "customer_deleted"]],
  ] as const)("the later state ranks higher", ({ handler }, types) => {
    const ranks = types.map((type) => handler.rank?.(type) ?? 0);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(handler.rank?.("something.else")).toBe(0);
  });
});

describe("helpers", () => {
  test("clip: never longer, never half a character, and short texts as they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 700 }), (text) => {
        const short = clip(text);
        expect(short.length).toBeLessThanOrEqual(498);
        if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
        if (text.length <= 498) expect(short).toBe(text);
        else expect(text.startsWith(short.slice(0, -1))).toBe(true);
      }),
    );
    expect(clip(`${"x".repeat(496)}😀`)).toBe(`${"x".repeat(496)}😀`);
    expect(clip(`${"x".repeat(496)}😀y`)).toBe(`${"x".repeat(496)}…`);
    expect([clip(null), clip(undefined)]).toEqual([null, undefined]);
    expect([
      shortLink("https://example.com/a"),
      shortLink(`https://example.com/${"a".repeat(500)}`),
      shortLink(null),
    ]).toEqual(["https://example.com/a", undefined, undefined]);
  });

  test("locale: one that can be written in, whatever comes", () => {
    expect(["auto", "", "en_GB", "pt-BR", "zh-HK", "x", "klingon!", null, 5].map((tag) => locale([tag]))).toEqual([
      ...["en-US", "en-US", "en-GB", "pt-BR", "zh-HK", "en-US", "en-US", "en-US", "en-US"],
    ]);
    expect(locale(["auto", "de"])).toBe("de");
    expect([locale("fr"), locale(null), locale(undefined), locale([])]).toEqual(["fr", "en-US", "en-US", "en-US"]);
    fc.assert(
      fc.property(fc.string(), (tag) => {
        expect(new Intl.NumberFormat(locale(tag)).format(1)).not.toBe("");
      }),
    );
  });

  test("iso: one form for all", () => {
    expect(iso("2025-11-12T12:00:00.418922Z")).toBe("2025-11-12T12:00:00.418Z");
    expect(iso("2025-11-12T07:00:00-05:00")).toBe("2025-11-12T12:00:00.000Z");
    expect([iso(null), iso(undefined), iso("")]).toEqual([null, undefined, null]);
    expect(() => iso("yesterday")).toThrow("not an ISO 8601 time");
  });

  test("decimal: numbers only", () => {
    expect([decimal("49.00"), decimal(9.99), decimal("-1")]).toEqual([49, 9.99, -1]);
    for (const text of ["", " ", "1,000.00", "abc", Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => decimal(text)).toThrow("finite number");
    expect([moneyOf("1234.5", "usd"), moneyOf(1200, "JPY"), moneyOf("2.5", "kwd")]).toEqual([
      "$1,234.50",
      "¥1,200",
      "KWD\u00a02.500",
    ]);
  });

  test("decimal: the same text as of the minor units", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (cents) => {
        expect(moneyOf((cents / 100).toFixed(2), "usd")).toBe(moneyOf(cents / 100, "usd"));
        expect(moneyOf((cents / 100).toFixed(2), "usd").replace(/[^0-9]/g, "")).toBe(
          (cents / 100).toFixed(2).replace(".", ""),
        );
      }),
    );
  });

  test("became: true only where it was not", () => {
    const change = (was: string | undefined, is: string) => ({
      object: { status: is },
      previous_attributes: was === undefined ? undefined : { status: was },
    });
    const late = ({ status }: { status: string }) => status === "late";
    expect([became(change("fine", "late"), late), became(change("late", "late"), late)]).toEqual([true, false]);
    expect([became(change(undefined, "late"), late), became(change("late", "fine"), late)]).toEqual([false, false]);
    expect(before({ object: { a: 1, b: 2 }, previous_attributes: { a: 0 } })).toEqual({ a: 0, b: 2 });
  });
});
