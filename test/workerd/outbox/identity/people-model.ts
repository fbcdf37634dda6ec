import fc from "fast-check";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { START } from "./arrivals.ts";
import { stripeWebhook } from "./planned.ts";

const ADDRESSES = ["ada@example.com", "bob@example.com"] as const;
const CUSTOMERS = ["cus_a", "cus_b"] as const;
const PLANS = ["Pro", "Scale", "Team"] as const;

/** Something that happens to a customer at Stripe. The place in a history is its time. */
export type Happening = { customer: string } & (
  | { what: "address"; address: string }
  | { what: "subscription"; subscription: string; plan: string; ended: boolean }
  | { what: "payment"; payment: string; disputed: boolean }
);

const customer = fc.constantFrom(...CUSTOMERS);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constant("address" as const), customer, address: fc.constantFrom(...ADDRESSES) }),
  fc
    .record({ customer, n: fc.constantFrom(1, 2), plan: fc.constantFrom(...PLANS), ended: fc.boolean() })
    .map(({ customer: of, n, ...rest }) => ({
      what: "subscription" as const,
      customer: of,
      subscription: `sub_${of}_${n}`,
      ...rest,
    })),
  fc.record({ customer, disputed: fc.boolean() }).map((one) => ({ what: "payment" as const, payment: "", ...one })),
);

/**
 * Each customer begins with an address. Payments have their own ids. A customer never returns to a former address: a
 * webhook that repeats an address writes no row, so its time is unknown later.
 */
export const history: fc.Arbitrary<Happening[]> = fc
  .tuple(fc.constantFrom(...ADDRESSES), fc.constantFrom(...ADDRESSES), fc.array(happening, { maxLength: 9 }))
  .map(([a, b, rest]) => [
    { what: "address", customer: "cus_a", address: a },
    { what: "address", customer: "cus_b", address: b },
    ...rest
      .filter((one, place) => one.what !== "address" || !returns(one, [a, b], rest.slice(0, place)))
      .map((one, place) => (one.what === "payment" ? { ...one, payment: `pi_${place}` } : one)),
  ]);

const returns = (
  { customer: id, address }: Happening & { what: "address" },
  [a, b]: readonly [string, string],
  before: readonly Happening[],
): boolean => {
  const former = before.flatMap((one) => (one.what === "address" && one.customer === id ? [one.address] : []));
  return [id === "cus_a" ? a : b, ...former].includes(address);
};

const timeOf = (place: number): number => START - 3_600_000 + place * 1_000;

/** The webhooks of a history, in its order. */
export const webhooksOf = (happenings: readonly Happening[]): PlannedWebhook[] =>
  happenings.flatMap((one, place) => {
    const at = timeOf(place);
    if (one.what === "address") {
      const object = { id: one.customer, object: "customer", email: one.address };
      return [stripeWebhook(place < CUSTOMERS.length ? "customer.created" : "customer.updated", object, at)];
    }
    if (one.what === "subscription") {
      const price = { id: `price_${one.plan}`, nickname: one.plan, unit_amount: 2_000, currency: "usd" };
      const object = {
        id: one.subscription,
        object: "subscription",
        customer: one.customer,
        status: one.ended ? "canceled" : "active",
        created: startOf(one.subscription),
        cancel_at_period_end: false,
        items: { data: [{ price, quantity: 1 }] },
      };
      return [stripeWebhook(one.ended ? "customer.subscription.deleted" : "customer.subscription.updated", object, at)];
    }
    const { payment, disputed } = one;
    const about = { amount: 1_900, currency: "usd" };
    const charge = { id: `ch_${payment}`, payment_intent: payment, customer: one.customer, captured: true };
    const dispute = { id: `du_${payment}`, charge: charge.id, payment_intent: payment, evidence: {} };
    return [
      stripeWebhook(
        "payment_intent.succeeded",
        { id: payment, object: "payment_intent", customer: one.customer, ...about },
        at,
      ),
      stripeWebhook(
        "charge.succeeded",
        { ...charge, object: "charge", billing_details: { email: null }, ...about },
        at,
      ),
      ...(disputed ? [stripeWebhook("charge.dispute.created", { ...dispute, ...about }, at)] : []),
    ];
  });

/** Unix seconds; the same in each webhook of a subscription. */
const startOf = (subscription: string): number => 1_700_000_000 + Number(subscription.at(-1));

type Shown = { plan?: string; subscriptionStatus?: string; stripeCustomerId?: string };
type Model = { contacts: Readonly<Record<string, Shown>>; events: readonly string[] };

/** The end of a history: what all contacts show, by address, and the events that are sent, in alphabetical order. */
export const modelOf = (happenings: readonly Happening[]): Model => {
  const lives = new Map<string, { address: string; place: number }>();
  const subscriptions = new Map<string, Happening & { what: "subscription" }>();
  const events: string[] = [];
  happenings.forEach((one, place) => {
    if (one.what === "address") lives.set(one.customer, { address: one.address, place });
    if (one.what === "subscription") subscriptions.set(one.subscription, one);
    if (one.what === "subscription" && one.ended) events.push("subscriptionCanceled");
    if (one.what === "payment") events.push("paymentSucceeded", ...(one.disputed ? ["disputeCreated"] : []));
  });
  const contacts = ADDRESSES.map((address): [string, Shown] => {
    const here = [...lives].filter(([, one]) => one.address === address).sort(([, a], [, b]) => b.place - a.place);
    const own = [...subscriptions.values()].filter((one) => here.some(([id]) => id === one.customer));
    const best = own.sort(better)[0];
    return [
      address,
      {
        ...(best ? { plan: best.plan, subscriptionStatus: best.ended ? "canceled" : "active" } : {}),
        ...(here[0] ? { stripeCustomerId: here[0][0] } : {}),
      },
    ];
  });
  return { contacts: Object.fromEntries(contacts), events: events.sort() };
};

type Told = Happening & { what: "subscription" };

/** Running before ended, then the later start, then the larger id. */
const better = (a: Told, b: Told): number =>
  Number(a.ended) - Number(b.ended) ||
  startOf(b.subscription) - startOf(a.subscription) ||
  (a.subscription < b.subscription ? 1 : -1);

/** The modeled part of a contact. */
export const shownOf = (properties: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties ?? {}).filter(([name]) =>
      ["plan", "subscriptionStatus", "stripeCustomerId"].includes(name),
    ),
  );
