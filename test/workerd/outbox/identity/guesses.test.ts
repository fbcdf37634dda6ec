import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import clerk from "../../../../src/mappings/clerk.ts";
import lemonSqueezy from "../../../../src/mappings/lemon-squeezy.ts";
import paddle from "../../../../src/mappings/paddle.ts";
import polar from "../../../../src/mappings/polar.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import workos from "../../../../src/mappings/workos.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import type { GuessedFrom, RuleSet } from "../../../../src/rules/types.ts";
import { createBench, update } from "../setup.ts";

const ada = { email: "ada@example.com" };

const named = (firstName: string, from?: GuessedFrom) => ({
  ...update(ada, { firstName }),
  ...(from ? { guesses: { firstName: from } } : {}),
});

describe("a guessed name", () => {
  it("never replaces a better one, in any order of arrival; of equally good ones the newest wins", async () => {
    const deliveries = [
      named("Ada"),
      named("Augusta"),
      named("Augusta Ada", "account"),
      named("Lovelace", "account"),
      named("A", "purchase"),
      named("MRS", "purchase"),
      named("A K", "document"),
      named("Analytical", "document"),
    ];
    const bestFirst = [1, 0, 3, 2, 5, 4, 7, 6];
    const names = ["Ada", "Augusta", "Augusta Ada", "Lovelace", "A", "MRS", "A K", "Analytical"];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 2 }), async (places) => {
        const bench = await createBench();
        for (const place of places) {
          const webhook = { occurredAt: place * 1_000, deliveries: deliveries.slice(place, place + 1) };
          const [delivery] = await bench.deliveries((await bench.accept(webhook)).id);
          expect(["done", "replaced"]).toContain(delivery?.state);
        }
        expect(bench.service.acted.at(-1)?.body).toMatchObject({
          firstName: names[bestFirst.find((place) => places.includes(place)) ?? 0],
        });
      }),
      { numRuns: inject("orders") },
    );
  });

  it("is written again after the contact was deleted, with the better name", async () => {
    const bench = await createBench();
    const gone = { rule: "delete", action: "delete" as const, contact: ada, key: "key-gone", removes: true as const };
    await bench.deliveries((await bench.accept({ occurredAt: 1_000, deliveries: [named("Ada")] })).id);
    await bench.deliveries((await bench.accept({ occurredAt: 2_000, deliveries: [gone] })).id);
    const guess = await bench.accept({ occurredAt: 3_000, deliveries: [named("A", "purchase")] });
    expect(await bench.deliveries(guess.id)).toMatchObject([{ state: "done" }]);
  });

  it("does not replace the name of an account that was last seen before the retention", async () => {
    const bench = await createBench();
    await bench.accept({ links: [{ userId: "u1", email: ada.email }] });
    const { id } = await bench.accept({ occurredAt: 1_000, deliveries: [named("Ada")] });
    await bench.deliveries(id);
    bench.service.offset = 60 * 86_400_000;
    await bench.ring();
    await bench.waitFor(async () => expect(await bench.read(id)).toBeNull());
    const guess = await bench.accept({ occurredAt: 9_000, deliveries: [named("A", "purchase")] });
    expect(await bench.deliveries(guess.id)).toMatchObject([{ state: "replaced" }]);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a recorded body, as the test changes it
type Body = any;
const fixtures = import.meta.glob<Body>("../../../fixtures/*/*.json", { import: "default" });

const recorded = async (
  ruleSet: RuleSet,
  [type, fixture]: readonly [type: string, fixture: string],
  occurredAt: number,
  replaced: Readonly<Record<string, string>>,
): Promise<Partial<PlannedWebhook>> => {
  const source = ruleSet.handler.provider;
  const found = await fixtures[`../../../fixtures/${source}/${fixture}.json`]?.();
  const text = Object.entries(replaced).reduce((all, [a, b]) => all.replaceAll(a, b), JSON.stringify(found));
  const eventId = `${source} ${fixture}`;
  const { deliveries, links } = plan(ruleSet, {
    source,
    id: eventId,
    type,
    occurredAt,
    body: { ...JSON.parse(text), type },
  });
  const names = deliveries.filter((delivery) => delivery.action === "contact");
  return {
    source,
    eventId,
    type,
    occurredAt,
    links,
    deliveries: names.map((delivery) => ({ ...delivery, key: `${eventId} ${delivery.rule}` })),
  };
};

describe.each([
  ["Clerk", clerk],
  ["WorkOS", workos],
] as const)("the name that a person gave at %s", (_, account) => {
  it.each([
    ["a customer at Stripe", stripe, ["customer.created", "customer.created"]],
    ["a checkout at Stripe", stripe, ["checkout.session.completed", "checkout.session.completed"]],
    ["a customer at Paddle", paddle, ["customer.created", "customer.created"]],
    ["a customer at Polar", polar, ["customer.created", "customer.created"]],
    ["an order at Polar", polar, ["order.paid", "order.paid"]],
    ["an order at Lemon Squeezy", lemonSqueezy, ["order_created", "order_created"]],
  ] as const)(
    "stays where %s has the name on a card and the account later has none, in any order",
    async (_name, shop, type) => {
      const given = await recorded(account, ["user.created", "user.created"], 1_000, {});
      const none = { '"first_name":"Ada"': '"first_name":null', '"last_name":"King"': '"last_name":null' };
      const told = [
        given,
        await recorded(shop, type, 2_000, { "Ada Lovelace": "MRS A K LOVELACE" }),
        await recorded(account, ["user.updated", "user.updated"], 3_000, none),
      ];
      expect(given.deliveries).toMatchObject([{ properties: { firstName: "Ada", lastName: "Lovelace" } }]);
      expect(told[1]?.deliveries).toMatchObject([{ properties: { firstName: "MRS", lastName: "A K LOVELACE" } }]);
      for (const order of [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ]) {
        const bench = await createBench();
        for (const place of order) await bench.deliveries((await bench.accept(told[place])).id);
        const names = Object.assign({}, ...bench.service.acted.map(({ body }) => body));
        expect(names).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
      }
    },
  );
});
