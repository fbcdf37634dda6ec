import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripe } from "../../../src/handlers/stripe.ts";
import { money } from "../../../src/rules/billing/money.ts";
import { describeRule } from "../../../src/rules/describe.ts";
import { LINKS, plan } from "../../../src/rules/evaluate.ts";
import { customer } from "../../../src/rules/people/customer.ts";
import { type AnyRule, joined, type RuleSet, rules } from "../../../src/rules/types.ts";
import type { Handler, Webhook } from "../../../src/webhook.ts";

const AT = 1_760_000_000_000;
const handler = { provider: "test" } as Handler;
const set = (rules: readonly AnyRule[], links: RuleSet["links"] = () => []): RuleSet => ({ handler, rules, links });
const event = (body: unknown = {}): Webhook => ({ source: "shop", id: "evt_1", type: "paid", occurredAt: AT, body });
const rule = (more: Partial<AnyRule> = {}): AnyRule => ({
  name: "r",
  on: "paid",
  contact: { email: "ada@example.com" },
  ...more,
});
// biome-ignore lint/suspicious/noExplicitAny: the body of a webhook that is not as its type says
type Body = any;
const boom = () => {
  throw new Error("boom");
};

describe("links", () => {
  const linksFor = (...links: ReturnType<RuleSet["links"]>) => {
    const planned = plan(
      set([], () => links),
      event(),
    );
    return { links: planned.links, failed: planned.outcomes.map(({ rule: name, message }) => [name, message]) };
  };

  test("from one ref to another get the source at both, and an end after the webhook", () => {
    const link = { ref: "pi_1", to: "cus_1", email: "ada@example.com", lifetime: "400d" };
    const { links } = linksFor(link, { ref: "pi_2", to: "cus_1" });
    expect(links).toEqual([
      { ref: "shop:pi_1", to: "shop:cus_1", email: "ada@example.com", until: AT + 400 * 86_400_000 },
      { ref: "shop:pi_2", to: "shop:cus_1" },
    ]);
  });

  test("to themselves, to nothing or from nothing are none; the address of the first stays a link", () => {
    const { links } = linksFor(
      { ref: "pi_1", to: "pi_1", email: "ada@example.com" },
      { ref: "pi_1", to: "" },
      { to: "cus_1", email: "ada@example.com" },
    );
    expect(links).toEqual([{ ref: "shop:pi_1", email: "ada@example.com" }]);
  });

  test("take null, undefined and an empty text as none, as a contact does", () => {
    const none = { userId: null, to: undefined, strength: undefined, lifetime: undefined };
    const { links, failed } = linksFor(
      { ...none, ref: "cus_1", email: "ada@example.com" },
      { ref: "cus_2", email: null, userId: undefined, to: null },
      { ref: undefined, email: "", userId: "u_1" },
    );
    expect([links, failed]).toEqual([[{ ref: "shop:cus_1", email: "ada@example.com" }], []]);
    const { deliveries } = plan(
      set([rule({ contact: () => ({ email: null, userId: "u_1", ref: undefined }), update: {} })]),
      event(),
    );
    expect(deliveries).toMatchObject([{ contact: { userId: "u_1" } }]);
  });

  test("with a lifetime that is no duration fail, and the message names it", () => {
    const { links, failed } = linksFor({ ref: "pi_1", to: "cus_1", lifetime: "a year" });
    expect(links).toEqual([]);
    expect(failed).toEqual([[LINKS, expect.stringContaining('"a year" is not a duration')]]);
  });
});

describe("which rules run", () => {
  test("the rules for the event type, in order; other rules have no outcome", () => {
    const rules = [rule({ name: "a" }), rule({ name: "b", on: "other" }), rule({ name: "c", on: ["x", "paid"] })];
    expect(plan(set(rules), event())).toEqual({
      deliveries: [],
      outcomes: [
        { rule: "a", outcome: "matched" },
        { rule: "c", outcome: "matched" },
      ],
      links: [],
    });
  });

  test("a false condition is shown as its source text, in one line and shortened", () => {
    const when = (e: { total: number }) => e.total > 0;
    const long = Object.assign(() => false, { toString: () => `\n  (e) =>\n${" x".repeat(300)}` });
    const { outcomes, deliveries } = plan(
      set([rule({ when, update: {} }), rule({ name: "long", when: long })]),
      event({ total: 0 }),
    );
    expect(deliveries).toEqual([]);
    expect(outcomes[0]).toEqual({ rule: "r", outcome: "not matched", clause: "(e) => e.total > 0" });
    expect(outcomes[1]?.clause).toHaveLength(300);
    expect(outcomes[1]?.clause).toMatch(/ …$/);
    expect(outcomes[1]?.clause).not.toMatch(/\n| {2}/);
  });

  test("half of a surrogate pair in a value is replaced, so that the email service does not refuse the delivery", () => {
    const half = "Ada \ud83d";
    const { deliveries } = plan(
      set([
        rule({
          contact: { email: "ada@example.com", userId: half },
          update: { firstName: half },
          event: { name: "e", properties: { note: half } },
          transactional: { template: "t", variables: { name: half } },
        }),
      ]),
      event(),
    );
    const whole = "Ada \ufffd";
    expect(deliveries).toMatchObject([
      { contact: { userId: whole }, properties: { firstName: whole } },
      { eventProperties: { note: whole } },
      { dataVariables: { name: whole } },
    ]);
  });

  test("a rule that throws fails alone and plans no delivery", () => {
    const rules = [
      rule({ name: "when", when: boom, update: {} }),
      rule({ name: "contact", contact: boom, update: {} }),
      rule({ name: "leaf", update: { fine: 1 }, event: { name: "e", properties: { x: boom } } }),
      rule({
        name: "not an error",
        update: {
          x: () => {
            throw Object.create(null);
          },
        },
      }),
      rule({ name: "good", update: { x: 1 } }),
    ];
    const { deliveries, outcomes } = plan(set(rules), event());
    expect(deliveries.map((delivery) => delivery.rule)).toEqual(["good"]);
    expect(outcomes).toEqual([
      { rule: "when", outcome: "failed", message: "boom" },
      { rule: "contact", outcome: "failed", message: "boom" },
      { rule: "leaf", outcome: "failed", message: "boom" },
      { rule: "not an error", outcome: "failed", message: "The rule threw something that is not an error." },
      { rule: "good", outcome: "matched" },
    ]);
  });
});

describe("the message of a rule that failed names the path in the webhook", () => {
  const body = { data: { object: { currency: "usd", lines: { data: [{ price: null }] }, total: "5" } } };
  const message = (leaf: (e: typeof body) => unknown) =>
    plan(set([rule({ update: { x: leaf as never } })]), event(body)).outcomes[0]?.message;

  test.each([
    [
      "an absent field, also where another field is read after it",
      (e: Body) => money(e.data.object.amount_remaining, e.data.object.currency),
      "data.object.amount_remaining is absent: An amount must be a finite number, got undefined.",
    ],
    [
      "a field of an absent object",
      (e: Body) => e.data.object.totals.tax,
      "data.object.totals is absent: Cannot read properties of undefined (reading 'tax')",
    ],
    [
      "null, also where an absent field is read after it",
      (e: Body) => {
        const { price, stored } = { price: e.data.object.lines.data[0].price, stored: e.data.stored };
        return price.map(() => stored);
      },
      "data.object.lines.data.0.price is null: Cannot read properties of null (reading 'map')",
    ],
    [
      "null in a list",
      (e: Body) => e.data.object.lines.data[0].price.id,
      "data.object.lines.data.0.price is null: Cannot read properties of null (reading 'id')",
    ],
    [
      "a value of another type",
      (e: Body) => e.data.object.total.toFixed(2),
      "data.object.total is a string: e.data.object.total.toFixed is not a function",
    ],
    [
      "a value that no property may have",
      (e: Body) => e.data.object.lines,
      "update.x must be a string, a finite number, a boolean, null or undefined (data.object.lines is an object).",
    ],
  ])("%s", (_name, leaf, expected) => {
    expect(message(leaf)).toBe(expected);
  });

  test("in a condition, a contact and the links", () => {
    const lost = (e: Body) => e.data.object.totals.tax;
    const rules = [rule({ name: "when", when: lost }), rule({ name: "contact", contact: lost, update: {} })];
    for (const { message } of plan(set(rules, lost), event(body)).outcomes)
      expect(message).toMatch(/^data\.object\.totals is absent: Cannot read/);
  });

  test("of an identifier of a wrong type, in a contact and in the links", () => {
    const person = (e: Body) => ({ email: e.data.email, userId: e.data.object.currency, ref: e.data.verified });
    const links = (e: Body) => [person(e)];
    const rules = [
      rule({ contact: person, update: {} }),
      rule({ contact: { email: (e: Body) => e.data.email }, update: {} }),
    ];
    const { outcomes } = plan(set(rules, links), event({ data: { ...body.data, email: 5 } }));
    expect(outcomes.map(({ message }) => message)).toEqual(
      Array(3).fill("The contact's email must be a string, got a number (data.email)."),
    );
  });

  test("never shows a value of the webhook", () => {
    const secret = (e: Body) => decodeURIComponent(e.data.object.token);
    const { outcomes } = plan(set([rule({ update: { x: secret } })]), event({ data: { object: { token: "%ada" } } }));
    expect(outcomes[0]?.message).toBe("data.object.token is a string: URI malformed");
    expect(message((e: Body) => money(e.data.object.currency, "usd"))).toBe(
      "data.object.currency is a string: An amount must be a finite number, got a string.",
    );
  });
});

describe("names of the provider's objects", () => {
  const nameOf = (e: { product: string }) => ({ nameOf: e.product, otherwise: "price_1" });
  const noOther = (e: { product: string }) => ({ nameOf: e.product });

  test("a value by name has its other value and says whose name to fill in", () => {
    const { deliveries } = plan(
      set([
        rule({
          update: { plan: nameOf, seats: 3 },
          event: { name: "started", properties: { planName: noOther } },
          transactional: { template: "t", variables: { plan: nameOf } },
        }),
      ]),
      event({ product: "prod_1" }),
    );
    expect(deliveries).toMatchObject([
      { action: "contact", properties: { plan: "price_1", seats: 3 }, names: { plan: "shop:prod_1" } },
      { action: "event", eventProperties: {}, names: { planName: "shop:prod_1" } },
      { action: "transactional", dataVariables: { plan: "price_1" }, names: { plan: "shop:prod_1" } },
    ]);
  });

  test("the names in a webhook have the source in their ids; a function that throws gives none", () => {
    const names = (e: { id: string }) => [{ id: e.id.trim(), name: "Pro" }];
    expect(plan({ ...set([]), names }, event({ id: "prod_1" })).names).toEqual([{ id: "shop:prod_1", name: "Pro" }]);
    expect(plan({ ...set([]), names }, event({})).names).toBeUndefined();
  });
});

describe("a template that is a function of the event", () => {
  const transactional = { templates: ["receipt-pro", "receipt"], template: (e: Body) => e.template } as const;
  const chosenFor = (body: Body) => {
    const { deliveries, outcomes } = plan(set([rule({ transactional })]), event(body));
    return [deliveries.map((one) => one.action === "transactional" && one.template), outcomes[0]?.message];
  };

  test("is the one for the event", () => {
    expect(chosenFor({ template: "receipt" })).toEqual([["receipt"], undefined]);
    expect(chosenFor({ template: "receipt-pro" })).toEqual([["receipt-pro"], undefined]);
  });

  test("is never another one: the rule fails, and the message has no value of the webhook", () => {
    const must = 'transactional.template must be one of "receipt-pro", "receipt", got';
    expect(chosenFor({ template: "ada@example.com" })).toEqual([[], `${must} another text: add it to templates.`]);
    expect(chosenFor({})).toEqual([[], `${must} absent: add it to templates.`]);
  });

  test("is described by all names and the text of the function", () => {
    expect(describeRule(rule({ transactional }), "shop").transactional).toMatchObject({
      templates: ["receipt-pro", "receipt"],
      chosenBy: "(e) => e.template",
    });
    expect(describeRule(rule({ transactional: { template: "t" } }), "shop").transactional).toMatchObject({
      templates: ["t"],
      chosenBy: null,
    });
  });
});

describe("what a rule plans", () => {
  test("contact update, event, mail, in this order", () => {
    const all = rule({
      contact: { email: (e) => e.email, userId: "u1" },
      transactional: {
        template: "t",
        variables: { n: 1, s: (e) => e.email, no: null, none: () => undefined },
        addToAudience: true,
      },
      event: { name: "bought", properties: { n: 1, s: "x", b: false, no: null, none: undefined } },
      update: { n: 1, s: "x", b: true, cleared: null, none: () => undefined },
    });
    const about = { rule: "r", contact: { email: "ada@example.com", userId: "u1" } };
    expect(plan(set([all]), event({ email: "  ada@example.com\n" })).deliveries).toEqual([
      { ...about, action: "contact", properties: { n: 1, s: "x", b: true, cleared: null } },
      { ...about, action: "event", eventName: "bought", eventProperties: { n: 1, s: "x", b: false } },
      {
        ...about,
        action: "transactional",
        template: "t",
        dataVariables: { n: 1, s: "ada@example.com\n".padStart(18) },
        addToAudience: true,
        notAfter: AT + 3 * 86_400_000,
        urgent: false,
      },
    ]);
  });

  test("other mail has an age of 3 days, or of the rule's own", () => {
    const [delivery] = plan(set([rule({ transactional: { template: "t", maxAge: "12h" } })]), event()).deliveries;
    expect(delivery).toMatchObject({ notAfter: AT + 43_200_000 });
    expect(delivery).not.toHaveProperty("expiresAt");
  });

  test("an event has an age of the rule's own; the default age is not part of the plan", () => {
    const ageOf = (maxAge?: string) =>
      plan(set([rule({ event: { name: "e", ...(maxAge ? { maxAge } : {}) } })]), event()).deliveries[0];
    expect(ageOf("12h")).toMatchObject({ notAfter: AT + 43_200_000 });
    expect(ageOf()).not.toHaveProperty("notAfter");
  });

  test("urgent mail expires relative to the time of the event", () => {
    const mail = (expires: string) =>
      plan(set([rule({ transactional: { template: "t", urgent: { expires } } })]), event());
    expect(mail("10m").deliveries).toEqual([
      {
        rule: "r",
        contact: { email: "ada@example.com" },
        action: "transactional",
        template: "t",
        dataVariables: {},
        addToAudience: false,
        expiresAt: AT + 600_000,
        urgent: true,
      },
    ]);
    expect(mail("soon").outcomes[0]).toMatchObject({
      outcome: "failed",
      message: expect.stringContaining('"soon" is not a duration'),
    });
  });

  test("a ref contains its source, so that two accounts may use equal ids", () => {
    const links = () => [{ ref: "cus_1", email: " a@example.com " }, { ref: "cus_2" }, { email: "", userId: "u" }, {}];
    const { deliveries, links: known } = plan(
      set([rule({ contact: () => customer("cus_1"), update: {} })], links),
      event(),
    );
    expect(deliveries[0]?.contact).toEqual({ ref: "shop:cus_1" });
    expect(known).toEqual([{ ref: "shop:cus_1", email: "a@example.com" }]);
  });

  test.each([
    ["nothing", {}],
    ["nulls", { email: null, userId: () => undefined }],
    ["blanks", { email: "  ", userId: "" }],
    ["an empty function", () => customer(null)],
  ])("a contact of %s fails the rule", (_name, contact) => {
    const { deliveries, outcomes } = plan(set([rule({ contact, update: {} } as Partial<AnyRule>)]), event());
    expect(deliveries).toEqual([]);
    expect(outcomes).toEqual([
      { rule: "r", outcome: "failed", message: "The webhook gives no email, userId or ref for the contact." },
    ]);
  });

  test("an event with more than 32 KB fails the rule with its size", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, "x".repeat(490)]));
    const outcomeOf = (count: number) =>
      plan(set([rule({ event: { name: "seen", properties: many(count) } })]), event()).outcomes[0];
    expect(outcomeOf(65)).toEqual({ rule: "r", outcome: "matched" });
    expect(outcomeOf(66)).toEqual({
      rule: "r",
      outcome: "failed",
      message: expect.stringMatching(
        /^event.properties: have 3[23]\d{3} bytes, at most 32768 are sent: give fewer properties\.$/,
      ),
    });
  });

  test("an identifier or a value of a wrong type fails the rule with the field's name", () => {
    const message = (more: Partial<AnyRule>) => plan(set([rule(more)]), event()).outcomes[0]?.message;
    expect(message({ contact: { userId: (() => 7) as never } })).toBe(
      "The contact's userId must be a string, got a number.",
    );
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, {}, [], new Date(0), 1n, Symbol.iterator]) {
      expect(message({ update: { plan: () => bad as never } })).toMatch(/^update\.plan must be a string/);
      expect(message({ event: { name: "e", properties: { plan: () => bad as never } } })).toMatch(
        /^event\.properties\.plan /,
      );
      expect(message({ transactional: { template: "t", variables: { plan: () => bad as never } } })).toMatch(
        /^transactional\.variables\.plan /,
      );
    }
  });

  test("links that throw are reported, and no delivery is lost", () => {
    const { deliveries, outcomes, links } = plan(set([rule({ update: {} })], boom), event());
    expect([deliveries.length, links.length]).toEqual([1, 0]);
    expect(outcomes[1]).toEqual({ rule: LINKS, outcome: "failed", message: "boom" });
  });

  test("property: never throws, gives one outcome per rule of the type, and is deterministic", () => {
    const leaf = fc.oneof(fc.jsonValue(), fc.func(fc.anything()), fc.constant(boom), fc.constant(undefined));
    const table = fc.dictionary(fc.stringMatching(/^[a-z]\w{0,5}$/), leaf, { maxKeys: 3 });
    const some = fc.record(
      {
        name: fc.uuid(),
        on: fc.constantFrom("paid", "other", ["paid", "other"]),
        when: fc.oneof(fc.func(fc.boolean()), fc.constant(boom)),
        contact: fc.oneof(fc.constant({ email: "a@b.c" }), fc.func(fc.anything()), table),
        update: table,
        event: fc.record({ name: fc.constant("e"), properties: table }),
        transactional: fc.record({ template: fc.constant("t"), variables: table }),
      },
      { requiredKeys: ["name", "on", "contact"] },
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 4 }), fc.jsonValue(), (rules, body) => {
        const made = plan(set(rules as unknown as AnyRule[]), event(body));
        expect(plan(set(rules as unknown as AnyRule[]), event(body))).toEqual(made);
        expect(made.outcomes.map((o) => o.rule)).toEqual(
          rules.filter((r) => [r.on].flat().includes("paid")).map((r) => r.name),
        );
        const matched = new Set(made.outcomes.filter((o) => o.outcome === "matched").map((o) => o.rule));
        for (const delivery of made.deliveries) {
          expect(matched.has(delivery.rule)).toBe(true);
          expect(Object.values(delivery.contact).every((id) => typeof id === "string" && id.trim() !== "")).toBe(true);
          const values =
            delivery.action === "contact"
              ? delivery.properties
              : delivery.action === "event"
                ? delivery.eventProperties
                : delivery.action === "transactional"
                  ? delivery.dataVariables
                  : {};
          for (const value of Object.values(values)) {
            expect(
              ["string", "number", "boolean"].includes(typeof value) ||
                (delivery.action === "contact" && value === null),
            ).toBe(true);
          }
        }
      }),
    );
  });
});

test("joined sets keep the order of their rules, and all of their links", () => {
  const contact = { email: "ada@example.com" };
  const customers = rules(stripe, [{ name: "a", on: "customer.created", contact }], () => [{ ref: "of a part" }]);
  const invoices = rules(stripe, [{ name: "b", on: "invoice.paid", contact }]);
  const set = joined(stripe, [customers, invoices], (e) =>
    e.type === "invoice.paid" ? [{ ref: e.data.object.id }] : [],
  );
  expect(set.handler).toBe(stripe);
  expect(set.rules.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(set.links({ type: "invoice.paid", data: { object: { id: "in_1" } } })).toEqual([
    { ref: "of a part" },
    { ref: "in_1" },
  ]);
});

describe("a guess", () => {
  const from = "account" as const;
  const updateFor = (leaf: NonNullable<AnyRule["update"]>[string], body: unknown = {}) =>
    plan(set([rule({ update: { firstName: leaf } })]), event(body)).deliveries[0];

  test("is marked as one, and gives way to the value that the webhook gives", () => {
    expect(updateFor({ guess: "Ada", from })).toMatchObject({
      properties: { firstName: "Ada" },
      guesses: { firstName: "account" },
    });
    const given = updateFor({ given: (e: Body) => e.name, guess: "A", from }, { name: "Ada" });
    expect(given).toEqual({
      rule: "r",
      contact: { email: "ada@example.com" },
      action: "contact",
      properties: { firstName: "Ada" },
    });
    expect(updateFor({ given: () => undefined, guess: "A", from })).toMatchObject({
      guesses: { firstName: "account" },
    });
  });

  test("of null or undefined writes nothing", () => {
    for (const guess of [null, undefined]) {
      const delivery = updateFor({ guess, from });
      expect(delivery).toMatchObject({ properties: {} });
      expect(delivery).not.toHaveProperty("guesses");
    }
  });
});

describe("a subscription", () => {
  const about = (more: Partial<NonNullable<AnyRule["subscription"]>> = {}, update?: AnyRule["update"]) =>
    plan(
      set([
        rule({
          subscription: { id: "sub_1", status: "active", update: { plan: "Pro", left: undefined }, ...more },
          ...(update ? { update } : {}),
        }),
      ]),
      event(),
    ).deliveries;

  test("is in the same delivery as the update, with its own properties named and its source before its id", () => {
    expect(about({ startedAt: "2026-01-01" }, { seats: 3 })).toEqual([
      {
        rule: "r",
        contact: { email: "ada@example.com" },
        action: "contact",
        properties: { seats: 3, plan: "Pro" },
        subscription: { id: "shop:sub_1", standing: 50, startedAt: "2026-01-01", properties: ["plan"] },
      },
    ]);
  });

  test("has no standing where the webhook tells no status", () => {
    expect(about({ status: undefined })).toMatchObject([{ subscription: { id: "shop:sub_1", properties: ["plan"] } }]);
    expect(about({ status: undefined })[0]).not.toHaveProperty("subscription.standing");
  });

  test("has a name that the Outbox fills in among its properties", () => {
    expect(about({ update: { plan: { nameOf: "prod_1" } } })).toMatchObject([
      { names: { plan: "shop:prod_1" }, subscription: { properties: ["plan"] } },
    ]);
  });
});

test("a delivery by a user id alone waits for a tie, except one of a webhook that would tell the address", () => {
  const rules = { ...set([rule({ contact: { userId: "u1" }, event: { name: "joined" } })]), ties: ["created"] };
  expect(plan(rules, event()).deliveries).toMatchObject([{ waitsForTie: true }]);
  const [other] = plan({ ...rules, ties: ["paid"] }, event()).deliveries;
  expect(other).toBeDefined();
  expect(other).not.toHaveProperty("waitsForTie");
  // An urgent mail never waits for a link.
  const urgent = { template: "code", urgent: { expires: "10m" } };
  const [mail] = plan(
    { ...set([rule({ contact: { userId: "u1" }, transactional: urgent })]), ties: ["created"] },
    event(),
  ).deliveries;
  expect(mail).toBeDefined();
  expect(mail).not.toHaveProperty("waitsForTie");
});
