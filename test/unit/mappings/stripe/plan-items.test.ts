import fc from "fast-check";
import { expect, test } from "vitest";
import ruleSet from "../../../../src/mappings/stripe.ts";
import type { PlannedDelivery } from "../../../../src/rules/types.ts";
import { type Body, eventsOf, planOf, recorded, writtenBy } from "../recorded.ts";

const { bodyOf, planFor, propertiesOf } = recorded(ruleSet);

type Product = { id: string; kind: "licensed" | "metered" | "tiered"; amount: number; interval: "month" | "year" };
type Item = Product & { quantity: number };

/** All prices differ, a free one is among them. */
const PRODUCTS: readonly Product[] = [
  { id: "Free", kind: "licensed", amount: 0, interval: "month" },
  { id: "Starter", kind: "licensed", amount: 900, interval: "month" },
  { id: "Pro", kind: "licensed", amount: 2900, interval: "month" },
  { id: "ProYearly", kind: "licensed", amount: 29_000, interval: "year" },
  { id: "Seat", kind: "licensed", amount: 1100, interval: "month" },
  { id: "Calls", kind: "metered", amount: 2, interval: "month" },
];

const itemOf = ({ id, kind, amount, interval, quantity }: Item) => ({
  id: `si_${id}`,
  created: 1_762_948_800,
  current_period_end: 1_762_948_800 + (interval === "year" ? 365 : 30) * 86_400,
  ...(kind === "metered" ? {} : { quantity }),
  price: {
    id: `price_${id}`,
    product: `prod_${id}`,
    nickname: id,
    currency: "usd",
    billing_scheme: "per_unit",
    unit_amount: amount,
    recurring: { interval, interval_count: 1, usage_type: kind },
  },
});

const perMonth = ({ amount, interval }: Product) => (interval === "year" ? amount / 12 : amount);

/** The plan by the promise of docs/subscription-plans.md, for prices that differ. */
const planIn = (items: readonly Item[], former?: string, was: readonly Item[] = []): string | undefined => {
  const charged = items.filter(({ kind, amount }) => kind !== "metered" && amount > 0);
  const candidates = charged.length > 0 ? charged : items;
  const licensed = candidates.filter(({ kind }) => kind !== "metered");
  const kept = candidates.find(({ id }) => id === former);
  const best = licensed.toSorted((a, b) => perMonth(b) - perMonth(a));
  const fresh = best.find(({ id }) => was.every((one) => one.id !== id));
  return (kept ?? fresh ?? best[0] ?? candidates[0])?.id;
};

const bodyFor = (type: string, items: readonly Item[], was?: readonly Item[]): Body => {
  const body = bodyOf("customer.subscription.updated.metadata");
  body.type = type;
  Object.assign(body.data.object, { items: { data: items.map(itemOf) }, plan: null, quantity: null });
  body.data.previous_attributes = was ? { items: { data: was.map(itemOf) } } : undefined;
  return body;
};

const items = fc
  .uniqueArray(fc.constantFrom(...PRODUCTS), { minLength: 1, maxLength: 4 })
  .chain((products) =>
    fc.tuple(
      ...products.map((product) => fc.integer({ min: 1, max: 9 }).map((quantity) => ({ ...product, quantity }))),
    ),
  )
  .map((list): readonly Item[] => list);
/** The items, and the same in another order. */
const twice = items.chain((list) =>
  fc.record({ given: fc.constant(list), other: fc.shuffledSubarray([...list], { minLength: list.length }) }),
);

/** False for a delivery that only another stored plan makes. */
const isMade = ({ byPlan }: PlannedDelivery): boolean =>
  !byPlan || byPlan.plans[(byPlan.rivals.before ?? byPlan.rivals.now)[0] ?? ""] !== null;

const deliveriesFor = async (body: Body) => {
  const { deliveries, outcomes } = await planOf(ruleSet, body);
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  return deliveries;
};

test("in every history and in every order of the items, the contact has the plan, and a change of it one event", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(twice, { minLength: 1, maxLength: 5 }), async (history) => {
      for (const [index, { given, other }] of history.entries()) {
        const was = history[index - 1];
        const type = was ? "customer.subscription.updated" : "customer.subscription.created";
        const deliveries = await deliveriesFor(bodyFor(type, given, was?.given));
        expect(await deliveriesFor(bodyFor(type, other, was?.other))).toEqual(deliveries);

        const previousPlan = was && planIn(was.given);
        const plan = planIn(given, previousPlan, was?.given);
        expect(writtenBy(deliveries)).toMatchObject([{ plan }]);
        const changes = eventsOf(deliveries.filter(isMade)).filter(({ name }) =>
          /^(upgraded|downgraded|planChanged)$/.test(name),
        );
        for (const change of changes) expect(change).toMatchObject({ plan, previousPlan });
        expect(changes.length).toBeLessThanOrEqual(1);
        if (was && plan !== previousPlan) expect(changes).toHaveLength(1);
      }
    }),
  );
});

test("in every order of the items, the events and mails of a trial, a cancellation and an end are the same", async () => {
  const states: readonly [string, object, object?][] = [
    ["customer.subscription.trial_will_end", { status: "trialing", trial_end: 1_999_999_999 }],
    ["customer.subscription.updated", { cancel_at_period_end: true }, { cancel_at_period_end: false }],
    ["customer.subscription.deleted", { status: "canceled", canceled_at: 1_764_576_000, ended_at: 1_764_576_000 }],
  ];
  await fc.assert(
    fc.asyncProperty(twice, fc.constantFrom(...states), async ({ given, other }, [type, state, former]) => {
      const of = (list: readonly Item[]) => {
        const body = bodyFor(type, list);
        Object.assign(body.data.object, state);
        body.data.previous_attributes = former;
        return deliveriesFor(body);
      };
      const deliveries = await of(given);
      expect(await of(other)).toEqual(deliveries);
      expect(deliveries.some(({ action }) => action === "transactional")).toBe(true);
      for (const event of eventsOf(deliveries)) expect(event).toMatchObject({ plan: planIn(given) });
    }),
  );
});

test("of a subscription with usage, a free item and an add-on in front, the plan is the last item", async () => {
  expect(await propertiesOf("customer.subscription.created.plan-last")).toMatchObject({ plan: "Pro" });
});

test("a cancellation of several intervals ends with the longest, at the end of a period", async () => {
  const { deliveries } = await planFor("customer.subscription.updated.cancel-scheduled.mixed-intervals");
  expect(writtenBy(deliveries)).toMatchObject([
    { plan: "Pro yearly", cancelAtPeriodEnd: true, currentPeriodEnd: "2026-11-12T12:00:00.000Z" },
  ]);
  expect(eventsOf(deliveries)).toMatchObject([{ name: "cancelScheduled", endsAt: "2026-11-12T12:00:00.000Z" }]);
  const flagAlone = await planFor("customer.subscription.updated.cancel-scheduled.mixed-intervals", ({ data }) =>
    Object.assign(data, {
      object: { ...data.object, cancel_at: null, cancel_at_period_end: true },
      previous_attributes: { cancel_at_period_end: false },
    }),
  );
  expect(eventsOf(flagAlone.deliveries)).toMatchObject([{ endsAt: "2026-11-12T12:00:00.000Z" }]);
});
