import fc from "fast-check";
import { ADDRESSES, type Sent, timeOf } from "./histories.ts";

const CUSTOMERS = ["ctm_a", "ctm_b"] as const;
const NAMES = ["Ada Lovelace", "Bob Berg", null] as const;

/** Cents a month, or a year. */
const PLANS = {
  Pro: { amount: 2_000, interval: "month" },
  Creator: { amount: 2_000, interval: "month" },
  Scale: { amount: 4_000, interval: "month" },
  Yearly: { amount: 20_000, interval: "year" },
} as const;
/** Support is dearer than a plan. A subscription begins without it, so that the first webhook tells the plan. */
const EXTRAS = {
  Seat: { amount: 500, interval: "month" },
  Support: { amount: 30_000, interval: "month" },
  Setup: { amount: 90_000, interval: "month" },
} as const;

type Plan = keyof typeof PLANS;
type Product = Plan | keyof typeof EXTRAS;
type Scheduled = "cancel" | "pause" | null;
type Status = "active" | "past_due" | "canceled";

/** `items`: the plan and extras, in the order of the webhook. */
type State = { plan: Plan; items: readonly Product[]; scheduled: Scheduled; status: Status };
type Told = { what: "subscription"; customer: string; subscription: string; isNew: boolean } & State;

/** Something that happens at Paddle. The place in a history is its time. */
export type Happening =
  | { what: "address"; customer: string; address: string; name: string | null; isNew?: true }
  | Told;

const customer = fc.constantFrom(...CUSTOMERS);
const address = fc.constantFrom(...ADDRESSES);
const name = fc.constantFrom(...NAMES);

const told: fc.Arbitrary<Told> = fc
  .record({
    customer,
    n: fc.constantFrom(1, 2),
    plan: fc.constantFrom(...(Object.keys(PLANS) as Plan[])),
    extras: fc.subarray(["Seat", "Support", "Setup"] as const),
    scheduled: fc.constantFrom<Scheduled>("cancel", "pause", null, null),
    status: fc.constantFrom<Status>("active", "active", "past_due", "canceled"),
  })
  .chain(({ n, extras, ...rest }) =>
    fc.shuffledSubarray([rest.plan, ...extras], { minLength: extras.length + 1 }).map((items) => ({
      what: "subscription",
      subscription: `sub_${rest.customer}_${n}`,
      isNew: false,
      items,
      ...rest,
    })),
  );

/** Each customer begins with an address, and never returns to a former one. An ended subscription stays ended. */
export const history: fc.Arbitrary<Happening[]> = fc
  .tuple(
    address,
    address,
    fc.array(
      fc.oneof(fc.record({ what: fc.constant("address" as const), customer, address, name }), {
        arbitrary: told,
        weight: 5,
      }),
      { maxLength: 9 },
    ),
  )
  .map(([a, b, rest]) => {
    const all: Happening[] = [
      { what: "address", customer: "ctm_a", address: a, name: null, isNew: true },
      { what: "address", customer: "ctm_b", address: b, name: "Bob Berg", isNew: true },
    ];
    for (const one of rest) all.push(...following(all, one));
    return all;
  });

const following = (all: readonly Happening[], one: Happening): Happening[] => {
  const own = all.filter((other) => other.customer === one.customer);
  if (one.what === "address")
    return own.some((other) => other.what === "address" && other.address === one.address) ? [] : [one];
  const was = own.findLast((other) => other.what === "subscription" && other.subscription === one.subscription);
  if (was?.what !== "subscription") {
    const items = one.items.filter((item) => item !== "Support");
    return [{ ...one, items, isNew: true, status: "active", scheduled: null }];
  }
  if (was.status === "canceled") return [];
  // Of two new items, nothing tells which one is the plan.
  const isUnclear = was.plan !== one.plan && !was.items.includes("Support");
  const items = isUnclear ? one.items.filter((item) => item !== "Support") : one.items;
  return [{ ...one, items, scheduled: one.status === "canceled" ? null : one.scheduled }];
};

const isoOf = (at: number): string => new Date(at).toISOString();

/** ISO 8601; the same in each webhook of a subscription. */
const startOf = (subscription: string): string => isoOf(1_700_000_000_000 + Number(subscription.at(-1)) * 1_000);

const itemOf = (product: Product) => {
  const isOnce = product === "Setup";
  const { amount, interval } = { ...PLANS, ...EXTRAS }[product];
  return {
    status: "active",
    quantity: 1,
    recurring: !isOnce,
    price: {
      id: `pri_${product}`,
      product_id: `pro_${product}`,
      description: "",
      unit_price: { amount: String(amount), currency_code: "USD" },
      billing_cycle: isOnce ? null : { interval, frequency: 1 },
    },
    product: { id: `pro_${product}`, name: product },
  };
};

const ENDS = isoOf(1_790_000_000_000);

const dataOf = (one: Happening): object => {
  if (one.what === "address") return { id: one.customer, email: one.address, name: one.name, locale: "en" };
  return {
    id: one.subscription,
    status: one.status,
    customer_id: one.customer,
    currency_code: "USD",
    created_at: startOf(one.subscription),
    next_billed_at: one.status === "canceled" ? null : ENDS,
    scheduled_change: one.scheduled && { action: one.scheduled, effective_at: ENDS },
    items: one.items.map(itemOf),
    custom_data: null,
  };
};

const typeOf = (one: Happening): string => {
  if (one.what === "address") return one.isNew ? "customer.created" : "customer.updated";
  if (one.isNew) return "subscription.created";
  if (one.status === "canceled") return "subscription.canceled";
  return one.status === "past_due" ? "subscription.past_due" : "subscription.updated";
};

const sentOf = (happenings: readonly Happening[], from: number, isSimulated: boolean): Sent[] =>
  happenings.map((one, place) => {
    const [at, type] = [timeOf(from + place), typeOf(one)];
    const id = `${isSimulated ? "ntfsimevt" : "evt"} ${place} ${type}`;
    const about = { event_id: id, event_type: type, occurred_at: isoOf(at), notification_id: `ntf_${place}` };
    return { id, type, at, body: { ...about, type, data: dataOf(one) } };
  });

/** The webhooks of a history, in its order. */
export const webhooksOf = (happenings: readonly Happening[]): Sent[] => sentOf(happenings, 0, false);

/** The webhooks of a history of the simulator: newer than all others, about the same customers and subscriptions. */
export const simulatedOf = (happenings: readonly Happening[]): Sent[] => sentOf(happenings, 100, true);

type Shown = Record<string, unknown>;

/** The contacts at the end of a history, by address. */
export const contactsOf = (happenings: readonly Happening[]): Readonly<Record<string, Shown>> => {
  const lives = new Map<string, { address: string; place: number }>();
  const subscriptions = new Map<string, Told>();
  const names = new Map<string, string>();
  for (const [place, one] of happenings.entries()) {
    if (one.what === "subscription") subscriptions.set(one.subscription, one);
    else {
      lives.set(one.customer, { address: one.address, place });
      if (one.name) names.set(one.address, one.name);
    }
  }
  const shownAt = (at: string): Shown => {
    const here = [...lives].filter(([, one]) => one.address === at).sort(([, a], [, b]) => b.place - a.place);
    const own = [...subscriptions.values()].filter((one) => here.some(([id]) => id === one.customer));
    const best = own.sort(better)[0];
    const [firstName, lastName] = names.get(at)?.split(" ") ?? [];
    return {
      ...(best && {
        plan: best.plan,
        subscriptionStatus: best.status,
        cancelAtPeriodEnd: best.scheduled === "cancel",
      }),
      ...(here[0] && { paddleCustomerId: here[0][0] }),
      ...(firstName && { firstName, lastName }),
    };
  };
  return Object.fromEntries(ADDRESSES.map((at) => [at, shownAt(at)]));
};

const RANKS: readonly Status[] = ["active", "past_due", "canceled"];

const better = (a: Told, b: Told): number =>
  RANKS.indexOf(a.status) - RANKS.indexOf(b.status) ||
  (a.subscription.at(-1) === b.subscription.at(-1)
    ? a.subscription < b.subscription
      ? 1
      : -1
    : Number(b.subscription.at(-1)) - Number(a.subscription.at(-1)));

/**
 * The events of a history by its arrivals: each compares its webhook with the state that was stored before. An older
 * webhook, and a second arrival, tells only what is its own.
 */
export const eventsOf = (happenings: readonly Happening[], places: readonly number[]): string[] => {
  const stored = new Map<string, { place: number; one: Told }>();
  const seen = new Set<number>();
  return places
    .flatMap((place) => {
      const one = happenings[place];
      if (one?.what !== "subscription" || seen.has(place)) return [];
      seen.add(place);
      const known = stored.get(one.subscription);
      const isNewest = !known || known.place < place;
      if (isNewest) stored.set(one.subscription, { place, one });
      const told = [...ownOf(one), ...(isNewest && !one.isNew ? changesOf(known?.one, one) : [])];
      const events = cameEarly(happenings, places, place) ? told.flatMap(withoutPlan) : told;
      return events.map((event) => `${one.subscription} ${event}`);
    })
    .sort();
};

/**
 * True for a webhook that arrived before an older one of its subscription, which may tell the plan. The events then are
 * those of the plan that the items tell.
 */
export const cameEarly = (happenings: readonly Happening[], places: readonly number[], place: number): boolean => {
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

const CHANGES = ["upgraded", "downgraded", "planChanged"];

/** Changes of the bill are those of the plan. */
export const withoutPlan = (event: string): string[] =>
  event
    .split(" ")
    .slice(0, 1)
    .filter((name) => !CHANGES.includes(name));

const ownOf = ({ isNew, status, plan }: Told): string[] => {
  if (isNew) return [`subscriptionStarted ${plan}`];
  if (status === "canceled") return [`subscriptionCanceled ${plan}`];
  return status === "past_due" ? [`pastDue ${plan}`] : [];
};

const changesOf = (was: Told | undefined, is: Told): string[] => {
  if (is.status === "canceled") return [];
  const wasEnding = was?.scheduled === "cancel";
  const isEnding = is.scheduled === "cancel";
  return [
    ...(was && was.plan !== is.plan ? [`${changeOf(was, is)} ${was.plan} > ${is.plan}`] : []),
    ...(isEnding && !wasEnding ? [`cancelScheduled ${is.plan}`] : []),
    ...(wasEnding && !isEnding ? [`reactivated ${is.plan}`] : []),
    ...(is.scheduled === "pause" && was?.scheduled !== "pause" ? [`pauseScheduled ${is.plan}`] : []),
  ];
};

/** A rise or a fall is one of the plan's own charge and of the whole bill. */
const changeOf = (was: Told, is: Told): string => {
  const [a, b] = [PLANS[was.plan], PLANS[is.plan]];
  if (a.interval !== b.interval) return "planChanged";
  const [own, whole] = [b.amount - a.amount, totalOf(is) - totalOf(was)].map(Math.sign);
  if (own !== whole || own === 0) return "planChanged";
  return own === 1 ? "upgraded" : "downgraded";
};

/** Cents a month. */
const totalOf = ({ items }: State): number =>
  items
    .filter((item) => item !== "Setup")
    .map((item) => ({ ...PLANS, ...EXTRAS })[item])
    .reduce((sum, { amount, interval }) => sum + (interval === "year" ? amount / 12 : amount), 0);
