import fc from "fast-check";
import { ADDRESSES, type Sent, timeOf } from "./histories.ts";

const CUSTOMERS = ["cus_a", "cus_b"] as const;
const NAMES = ["Ada Lovelace", "Bob Berg", null] as const;

/** Cents a month. */
const PLANS = { Pro: 2_000, Creator: 2_000, Scale: 4_000 } as const;
const EXTRAS = ["Calls", "Free", "Seat", "Support"] as const;
/** Support is dearer than a plan. A subscription begins without it, so that the first webhook tells the plan. */
const FIXED: Readonly<Partial<Record<Extra, number>>> = { Seat: 500, Support: 15_000 };

type Plan = keyof typeof PLANS;
type Extra = (typeof EXTRAS)[number];

/** `items`: the plan and extras, in the order of the webhook. */
type State = { plan: Plan; items: readonly (Plan | Extra)[]; ending: boolean; ended: boolean };
type Told = { what: "subscription"; customer: string; subscription: string; was?: State } & State;
type Guest = {
  what: "guest";
  payment: string;
  address: string;
  name: string | null;
  way: "checkout" | "own code";
  disputed: boolean;
};

/** Something that happens at Stripe. The place in a history is its time. */
export type Happening =
  | { what: "address"; customer: string; address: string; name: string | null; isNew?: true }
  | Told
  | { what: "payment"; customer: string; payment: string; disputed: boolean }
  | Guest
  | { what: "deleted"; customer: string; address?: string };

const customer = fc.constantFrom(...CUSTOMERS);
const address = fc.constantFrom(...ADDRESSES);
const name = fc.constantFrom(...NAMES);

const told: fc.Arbitrary<Told> = fc
  .record({
    customer,
    n: fc.constantFrom(1, 2),
    plan: fc.constantFrom(...(Object.keys(PLANS) as Plan[])),
    extras: fc.subarray([...EXTRAS]),
    ending: fc.boolean(),
    ended: fc.boolean(),
  })
  .chain(({ n, extras, ...rest }) =>
    fc.shuffledSubarray([rest.plan, ...extras], { minLength: extras.length + 1 }).map((items) => ({
      what: "subscription",
      subscription: `sub_${rest.customer}_${n}`,
      items,
      ...rest,
    })),
  );

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ what: fc.constant("address" as const), customer, address, name }),
  { arbitrary: told, weight: 3 },
  fc.record({ what: fc.constant("payment" as const), customer, payment: fc.constant(""), disputed: fc.boolean() }),
  fc.record({
    what: fc.constant("guest" as const),
    payment: fc.constant(""),
    address,
    name,
    way: fc.constantFrom("checkout", "own code"),
    disputed: fc.boolean(),
  }),
  { arbitrary: fc.record({ what: fc.constant("deleted" as const), customer }), weight: 1 },
);

/**
 * Each customer begins with an address and never returns to a former one: a webhook that repeats an address writes no
 * row, so its time is unknown later. A deleted customer gets no more than the ends of its subscriptions.
 */
export const history: fc.Arbitrary<Happening[]> = fc
  .tuple(address, address, name, fc.array(happening, { maxLength: 9 }))
  .map(([a, b, called, rest]) => {
    const begin: Happening[] = [
      { what: "address", customer: "cus_a", address: a, name: called, isNew: true },
      { what: "address", customer: "cus_b", address: b, name: null, isNew: true },
    ];
    for (const one of rest) begin.push(...following(begin, one));
    return begin;
  });

const following = (all: readonly Happening[], one: Happening): Happening[] => {
  const place = all.length;
  if (one.what === "guest") return [{ ...one, payment: `pi_guest_${place}` }];
  const own = all.filter((other) => other.what !== "guest" && other.customer === one.customer);
  const isDeleted = own.some(({ what }) => what === "deleted");
  const addresses = own.flatMap((other) => (other.what === "address" ? [other.address] : []));
  if (one.what === "deleted") return isDeleted ? [] : [{ ...one, address: addresses.at(-1) ?? "" }];
  if (one.what === "address") return isDeleted || addresses.includes(one.address) ? [] : [one];
  if (one.what === "payment") return isDeleted ? [] : [{ ...one, payment: `pi_${place}` }];
  const was = own.findLast((other) => other.what === "subscription" && other.subscription === one.subscription);
  if (was?.what !== "subscription") {
    const items = one.items.filter((item) => item !== "Support");
    return isDeleted ? [] : [{ ...one, items, ended: false, ending: false }];
  }
  // An end changes nothing else.
  const { plan, items, ending } = was;
  if (was.ended || (isDeleted && !one.ended)) return [];
  // Of two new items, nothing tells which one is the plan.
  const isUnclear = plan !== one.plan && !items.includes("Support");
  const given = isUnclear ? one.items.filter((item) => item !== "Support") : one.items;
  return [{ ...one, items: given, ...(one.ended ? { plan, items, ending } : {}), was }];
};

/** Unix seconds; the same in each webhook of a subscription. */
const startOf = (subscription: string): number => 1_700_000_000 + Number(subscription.at(-1));

const itemOf = (product: Plan | Extra) => {
  const isUsage = product === "Calls";
  const amount = isUsage ? 2 : amountOf(product);
  return {
    id: `si_${product}`,
    ...(isUsage ? {} : { quantity: 1 }),
    price: {
      id: `price_${product}`,
      product: `prod_${product}`,
      nickname: product,
      currency: "usd",
      billing_scheme: "per_unit",
      unit_amount: amount,
      recurring: { interval: "month", interval_count: 1, usage_type: isUsage ? "metered" : "licensed" },
    },
  };
};

const sentOf = (one: Happening, place: number, isTest: boolean): Sent[] => {
  const at = timeOf(place);
  const webhook = (type: string, object: { id: string }, previous_attributes?: object): Sent => {
    const id = `${isTest ? "evt_test" : "evt"} ${place} ${type}`;
    const data = { object, ...(previous_attributes ? { previous_attributes } : {}) };
    const created = Math.floor(at / 1_000);
    return { id, type, at, body: { id, object: "event", type, created, livemode: !isTest, data } };
  };
  switch (one.what) {
    case "address": {
      const object = { id: one.customer, object: "customer", email: one.address, name: one.name };
      return [webhook(one.isNew ? "customer.created" : "customer.updated", object)];
    }
    case "deleted":
      return [webhook("customer.deleted", objectOf(one.customer, "customer", { email: one.address ?? null }))];
    case "subscription":
      return [subscriptionSent(one, webhook)];
    case "payment":
      return paymentSent({ ...one, email: null }, webhook);
    case "guest":
      return guestSent(one, webhook);
  }
};

const objectOf = (id: string, object: string, more: object) => ({ id, object, ...more });

type Make = (type: string, object: { id: string }, former?: object) => Sent;

const subscriptionSent = ({ was, ...one }: Told, webhook: Make): Sent => {
  const object = {
    id: one.subscription,
    object: "subscription",
    customer: one.customer,
    status: one.ended ? "canceled" : "active",
    created: startOf(one.subscription),
    cancel_at_period_end: one.ending,
    items: { data: one.items.map(itemOf) },
  };
  if (!was) return webhook("customer.subscription.created", object);
  if (one.ended) return webhook("customer.subscription.deleted", object);
  return webhook("customer.subscription.updated", object, {
    ...(one.items.join() === was.items.join() ? {} : { items: { data: was.items.map(itemOf) } }),
    ...(one.ending === was.ending ? {} : { cancel_at_period_end: was.ending }),
  });
};

const AMOUNT = { amount: 1_900, currency: "usd" };

type Payment = { payment: string; customer?: string | null; email: string | null; disputed: boolean };

const chargeOf = ({ payment, customer: payer = null, email }: Payment) => ({
  id: `ch_${payment}`,
  object: "charge",
  payment_intent: payment,
  customer: payer,
  captured: true,
  billing_details: { email },
  ...AMOUNT,
});

const disputeOf = (payment: string) => ({ id: `du_${payment}`, payment_intent: payment, evidence: {}, ...AMOUNT });

const paymentSent = (one: Payment, webhook: Make): Sent[] => [
  webhook(
    "payment_intent.succeeded",
    objectOf(one.payment, "payment_intent", { customer: one.customer ?? null, ...AMOUNT }),
  ),
  webhook("charge.succeeded", chargeOf(one)),
  ...(one.disputed ? [webhook("charge.dispute.created", disputeOf(one.payment))] : []),
];

const guestSent = ({ payment, address: email, name: called, way, disputed }: Guest, webhook: Make): Sent[] => {
  if (way === "own code") return paymentSent({ payment, email, disputed }, webhook);
  const session = {
    id: `cs_${payment}`,
    object: "checkout.session",
    mode: "payment",
    payment_status: "paid",
    payment_intent: payment,
    customer: null,
    customer_details: { email, name: called },
    amount_total: AMOUNT.amount,
    currency: AMOUNT.currency,
  };
  return [
    webhook("checkout.session.completed", session),
    webhook("charge.succeeded", chargeOf({ payment, email: null, disputed })),
    ...(disputed ? [webhook("charge.dispute.created", disputeOf(payment))] : []),
  ];
};

/** The webhooks of a history, in its order. */
export const webhooksOf = (happenings: readonly Happening[]): Sent[] =>
  happenings.flatMap((one, place) => sentOf(one, place, false));

/** The webhooks of a history of test mode: newer than all others, about the same customers and subscriptions. */
export const testWebhooksOf = (happenings: readonly Happening[]): Sent[] =>
  happenings.flatMap((one, place) => sentOf(one, 100 + place, true));

type Shown = Record<string, unknown>;
/** `contacts`: by address. `events`: in alphabetical order; those of guests with their address. */
export type Model = { contacts: Readonly<Record<string, Shown>>; events: readonly string[] };

/**
 * True for a webhook that arrived before an older one of its subscription, which may tell the plan. The events then name
 * the one that the items tell.
 */
export const cameEarly = (happenings: readonly Happening[], arrived: Arrived) => {
  const places = arrived.map(({ id }) => placeOf(id));
  return (place: number): boolean => {
    const one = happenings[place];
    return happenings.some(
      (other, before) =>
        before < place &&
        one?.what === "subscription" &&
        other.what === "subscription" &&
        other.subscription === one.subscription &&
        places.indexOf(before) > places.indexOf(place),
    );
  };
};

/** The end of a history. `isEarly`: places with events that may name another plan. */
export const modelOf = (happenings: readonly Happening[], isEarly: (place: number) => boolean): Model => {
  const lives = new Map<string, { address: string; place: number }>();
  const subscriptions = new Map<string, Told>();
  const names = new Map<string, string>();
  for (const [place, one] of happenings.entries()) {
    if (one.what === "address") lives.set(one.customer, { address: one.address, place });
    if (one.what === "subscription") subscriptions.set(one.subscription, one);
    const called = one.what === "address" || (one.what === "guest" && one.way === "checkout") ? one.name : null;
    if (called !== null && "address" in one && one.address) names.set(one.address, called);
  }
  const shownAt = (at: string): Shown => {
    const here = [...lives].filter(([, one]) => one.address === at).sort(([, a], [, b]) => b.place - a.place);
    const own = [...subscriptions.values()].filter((one) => here.some(([id]) => id === one.customer));
    const best = own.sort(better)[0];
    const [firstName, lastName] = names.get(at)?.split(" ") ?? [];
    return {
      ...(best && {
        plan: best.plan,
        subscriptionStatus: best.ended ? "canceled" : "active",
        cancelAtPeriodEnd: best.ending,
      }),
      ...(here[0] && { stripeCustomerId: here[0][0] }),
      ...(firstName && { firstName, lastName }),
    };
  };
  return {
    contacts: Object.fromEntries(ADDRESSES.map((at) => [at, shownAt(at)])),
    events: happenings
      .flatMap((one, place) => eventsOf(one).flatMap((event) => (isEarly(place) ? withoutPlan(event) : event)))
      .sort(),
  };
};

/** Running before ended, then the later start, then the larger id. */
const better = (a: Told, b: Told): number =>
  Number(a.ended) - Number(b.ended) ||
  startOf(b.subscription) - startOf(a.subscription) ||
  (a.subscription < b.subscription ? 1 : -1);

/** The event of a bill that stays equal depends on the plan. */
export const withoutPlan = (event: string): string[] =>
  event.startsWith("planChanged") ? [] : event.split(" ").slice(0, 1);

const eventsOf = (one: Happening): string[] => {
  if (one.what === "address") return [];
  if (one.what === "deleted") return ["customerDeleted"];
  if (one.what === "payment") return ["paymentSucceeded", ...(one.disputed ? ["disputeCreated"] : [])];
  if (one.what === "guest")
    return [
      `${one.way === "checkout" ? "checkoutCompleted" : "paymentSucceeded"} of ${one.address}`,
      ...(one.disputed ? [`disputeCreated of ${one.address}`] : []),
    ];
  const { was, plan, ended, ending } = one;
  if (!was) return [`subscriptionStarted ${plan}`];
  if (ended) return [`subscriptionCanceled ${plan}`];
  return [
    ...(plan === was.plan && billOf(one) === billOf(was) ? [] : [`${changeOf(was, one)} ${was.plan} > ${plan}`]),
    ...(ending === was.ending ? [] : [`${ending ? "cancelScheduled" : "reactivated"} ${plan}`]),
  ];
};

const amountOf = (product: Plan | Extra): number => ({ ...PLANS, ...FIXED, Calls: 0, Free: 0 })[product] ?? 0;

const billOf = ({ items }: State): number => items.reduce((sum, item) => sum + amountOf(item), 0);

const changeOf = (was: State, is: State): string =>
  billOf(is) > billOf(was) ? "upgraded" : billOf(is) < billOf(was) ? "downgraded" : "planChanged";

type Arrived = readonly { at: number; id: string }[];

/** Ms. A mail that says goodbye looks for other subscriptions after this time. */
const LOOK = 2_000;
/** Ms that earlier requests of a person may take: another webhook that arrives meanwhile may count or not. */
const TAKES = 2_500;
const LATE = [0, 100, 800, 1_500, 2_200];

/**
 * The goodbyes of a history, by the place of their webhook, each with the addresses that may get it: that of the person,
 * or undefined for none, if another subscription runs or the customer is deleted by what has arrived at the decision.
 */
export const goodbyesOf = (happenings: readonly Happening[], arrived: Arrived) => {
  const times = new Map<Happening | undefined, number>();
  for (const { at, id } of arrived) {
    const one = happenings[placeOf(id)];
    if (namesPerson(one, id)) times.set(one, at);
  }
  const timeOfOne = (one: Happening): number => times.get(one) ?? Number.POSITIVE_INFINITY;
  const firstOf = (is: (one: Happening) => boolean): number => Math.min(...happenings.filter(is).map(timeOfOne));
  const goodbyes = happenings.flatMap((one, place): [number, readonly (string | undefined)[]][] => {
    if (one.what !== "subscription" || !one.was || !(one.ended || (one.ending && !one.was.ending))) return [];
    const known = firstOf((other) => other.what === "address" && other.customer === one.customer);
    const decided = Math.max(timeOfOne(one) + LOOK, known);
    const isDeleted = (home: string | undefined, late: number): boolean =>
      one.ended &&
      happenings.some(
        (other) =>
          other.what === "deleted" &&
          other.customer === one.customer &&
          other.address === home &&
          timeOfOne(other) <= decided + late,
      );
    const allowed = LATE.flatMap((late) => {
      const { home, others } = personOf(
        one,
        happenings.filter((other) => timeOfOne(other) <= decided + late),
      );
      if (others > 0 || isDeleted(home, -TAKES)) return [undefined];
      return isDeleted(home, TAKES) ? [home, undefined] : [home];
    });
    return [[place, allowed]];
  });
  return new Map(goodbyes);
};

/** The later webhook of a guest's own payment counts: the payment has no address, and the charge makes no contact. */
const namesPerson = (one: Happening | undefined, id: string): boolean =>
  one?.what !== "guest" ||
  (one.way === "checkout" ? id.endsWith("session.completed") : !id.endsWith("dispute.created"));

/** The place of a webhook's happening. */
export const placeOf = (id: string): number => Number(id.split(" ")[1]);

/** The address of a subscription's customer, and how many other subscriptions of that address run. */
const personOf = (one: Told, known: readonly Happening[]): { home: string | undefined; others: number } => {
  const homeOf = (id: string): string | undefined =>
    known.flatMap((other) => (other.what === "address" && other.customer === id ? [other.address] : [])).at(-1);
  const home = homeOf(one.customer);
  const newest = new Map<string, Told>();
  for (const other of known) if (other.what === "subscription") newest.set(other.subscription, other);
  const others = [...newest.values()].filter(
    ({ subscription, customer: id, ended }) => subscription !== one.subscription && !ended && homeOf(id) === home,
  );
  return { home, others: others.length };
};
