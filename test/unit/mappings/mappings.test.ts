import { describe, expect, test } from "vitest";
import { LINKS } from "../../../src/rules/evaluate.ts";
import { sources } from "../../../src/sources.ts";
import { type Body, eventsOf, NOW, recorded, writtenBy } from "./recorded.ts";

const BILLING = [
  "stripe",
  "paddle",
  "lemonsqueezy",
  "polar",
  "chargebee",
  "revenuecat",
  "razorpay",
  "paypal",
  "mollie",
  "woocommerce",
  "whop",
  "dodo",
  "square",
  "shopify",
];
const ALL = Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [[name, rules] as const] : []));

const ACCOUNTS = ALL.filter(([source]) => !BILLING.includes(source));

describe.each(ALL)("%s", (source, ruleSet) => {
  const { rules, handler } = ruleSet;
  const billing = BILLING.includes(source);
  const { names, planFor, all } = recorded(ruleSet);
  const webhooks = all();

  test("is a source with the secret that its handler names", () => {
    expect(sources[handler.provider]).toMatchObject({ rules: ruleSet, secret: handler.about.secret });
  });

  test("has unique rule names, none of them the name of the links' outcome", () => {
    const ruleNames = rules.map((rule) => rule.name);
    expect(new Set(ruleNames).size).toBe(ruleNames.length);
    expect(ruleNames).not.toContain(LINKS);
  });

  test("names properties in camelCase, and never updates `subscribed` or mailing lists", () => {
    for (const { update, event, transactional } of rules) {
      const fields = [update, event?.properties, transactional?.variables].flatMap((table) => Object.keys(table ?? {}));
      for (const name of [...fields, event?.name ?? "x"]) expect(name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
      expect(fields).not.toContain("subscribed");
      expect(fields).not.toContain("mailingLists");
    }
  });

  test("no rule fails on a recorded webhook, and each rule matches one", async () => {
    const outcomes = (await webhooks).flatMap(({ outcomes }) => outcomes);
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const matched = new Set(outcomes.filter(({ outcome }) => outcome === "matched").map(({ rule }) => rule));
    expect(rules.map(({ name }) => name).filter((name) => !matched.has(name))).toEqual([]);
  });

  test("makes the same deliveries for items in another order", async () => {
    for (const name of names) {
      const turned = await planFor(name, turnItems);
      expect({ ...turned.deliveries }, name).toEqual({ ...(await planFor(name)).deliveries });
    }
  });

  test("each condition is false on a recorded webhook", async () => {
    const outcomes = (await webhooks).flatMap(({ outcomes }) => outcomes);
    const missed = new Set(outcomes.filter(({ outcome }) => outcome === "not matched").map(({ rule }) => rule));
    expect(rules.filter(({ name, when }) => when && !missed.has(name)).map(({ name }) => name)).toEqual([]);
  });

  test("unsubscribes deleted users only, subscribes no one, joins no list and deletes no contact", async () => {
    const removing = new Set(rules.filter(({ remove }) => remove).map(({ name }) => name));
    for (const { name, deliveries, outcomes } of await webhooks) {
      const removes = outcomes.some(({ rule, outcome }) => outcome === "matched" && removing.has(rule));
      const subscribed = writtenBy(deliveries).flatMap((properties) =>
        "subscribed" in properties ? [properties.subscribed] : [],
      );
      expect([name, subscribed]).toEqual([name, removes ? [false] : []]);
      if (removes) expect(deliveries.map(({ action }) => action)).toContain("event");
      expect(deliveries.filter((delivery) => delivery.action === "contact" && delivery.lists)).toEqual([]);
      expect(deliveries.filter(({ action }) => action === "delete")).toEqual([]);
    }
  });

  test("a rule that removes a person makes the event accountDeleted, and no other rule does", () => {
    for (const { remove, event } of rules) expect(event?.name === "accountDeleted").toBe(remove !== undefined);
  });

  test("cuts long texts of people to what the host accepts", async () => {
    const isCode = (text: string) => /^[a-z_]+$|^[A-Z_]+$/.test(text);
    const isText = (key: string, value: string) =>
      billing
        ? /comment|reason|first_name|last_name|user_name|note|error_text|tracking_company/.test(key) && !isCode(value)
        : /name|role|state$/i.test(key);
    const lengthen = (value: Body): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, text] of Object.entries(value)) {
        if (typeof text === "string" && isText(key, text)) value[key] = `${"long ".repeat(400)}😀`;
        else lengthen(text);
      }
    };
    for (const name of names) {
      const { deliveries, outcomes } = await planFor(name, (body) => {
        const hook = body.metadata?.name;
        lengthen(body);
        // The name of an auth hook is its event type.
        if (hook !== undefined && !billing) body.metadata.name = hook;
      });
      expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      for (const properties of [...writtenBy(deliveries), ...eventsOf(deliveries)]) {
        for (const [key, value] of Object.entries(properties)) {
          if (typeof value === "string") expect(value.length, `${name} ${key}`).toBeLessThanOrEqual(500);
        }
      }
    }
  });

  test("writes a number beside every amount, with the same digits, and every time in one form", async () => {
    for (const { name, deliveries } of await webhooks) {
      for (const properties of eventsOf(deliveries)) {
        for (const [key, value] of Object.entries(properties)) {
          if (/(At|Ends)$/.test(key))
            expect(value, `${name} ${key}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          if (!/amount$/i.test(key)) continue;
          const number = properties[`${key}Value`];
          const types = [typeof value, typeof number, typeof properties.currency];
          expect(types, name).toEqual(["string", "number", "string"]);
          const expected = decimals(Number(number), String(properties.currency));
          expect(digits(String(value)), `${name} ${key}`).toBe(digits(expected));
        }
      }
    }
  });
});

/** Lists of a customer, a subscription, an order or an invoice. */
const ITEMS = /^(active_subscriptions|items|subscription_items|line_items|lines)$/;

const turnItems = (value: Body): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries<Body>(value)) {
    const list = Array.isArray(inner) ? inner : inner?.data;
    if (ITEMS.test(key) && Array.isArray(list)) list.reverse();
    turnItems(inner);
  }
};

const digits = (text: string) => text.replace(/[^0-9]/g, "").replace(/^0+(?=.)/, "");
/** Digits after the decimal point. 2 in most currencies. */
const DECIMALS: Readonly<Record<string, number>> = { jpy: 0, krw: 0, kwd: 3 };
const decimals = (value: number, currency: string) => value.toFixed(DECIMALS[currency.toLowerCase()] ?? 2);

test("only Stripe's mails about payments and subscriptions, Clerk's welcome and the mails that Supabase Auth asks for are sent", async () => {
  const mails = ALL.flatMap(([source, { rules }]) =>
    rules.filter(({ transactional }) => transactional).map(({ name }) => `${source}: ${name}`),
  );
  expect(mails.filter((mail) => !mail.startsWith("supabase: "))).toEqual([
    "stripe: checkout receipt",
    "stripe: renewal receipt",
    "stripe: payment failed mail",
    "stripe: trial ending mail",
    "stripe: cancellation mail",
    "stripe: cancellation at once mail",
    "stripe: ended unpaid mail",
    "clerk: welcome",
  ]);
});

test.each(ALL.filter(([source]) => BILLING.includes(source)))(
  "%s: each recorded webhook has its own id, and none has a digest",
  async (_source, ruleSet) => {
    const webhooks = (await recorded(ruleSet).all()).map(({ webhook }) => webhook);
    const sample = "evt_1STdK4B7h3m8QwZx0R5yJdLa";
    const ids = webhooks.map(({ id }) => id).filter((id) => id !== sample);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(webhooks.filter(({ digest }) => digest)).toEqual([]);
  },
);

test.each(ACCOUNTS)("%s: the time of an event is the provider's", async (_source, ruleSet) => {
  for (const { name, webhook } of await recorded(ruleSet).all()) {
    // Only a deleted row has no time: it gets the time of receipt.
    expect([name, webhook.occurredAt < NOW]).toEqual([name, !name.startsWith("auth.users.DELETE")]);
  }
});

test("providers of user accounts link verified addresses only", async () => {
  const webhooks = await Promise.all(ACCOUNTS.map(([, ruleSet]) => recorded(ruleSet).all()));
  const all = webhooks.flat().flatMap((webhook) => webhook.links);
  const links = all.filter(({ strength }) => strength !== "unverified");
  expect(links.length).toBeGreaterThan(20);
  expect(links.every(({ email, userId, ref }) => email && (userId || ref))).toBe(true);
  expect(JSON.stringify(links)).not.toMatch(/victim@|new@example/);
});
