import fc from "fast-check";
import { ADDRESSES, type Sent, timeOf } from "./histories.ts";

const CUSTOMERS = ["pc_a", "pc_b"] as const;
const PRODUCTS = ["Pro", "Scale"] as const;

type Subscription = { product: string; status: "active" | "trialing"; ending: boolean };

/** A customer after a change: the only webhook of it is `customer.state_changed`. The place is its time. */
export type Happening = { customer: string; address: string; active: Readonly<Record<string, Subscription>> };

type Change = { customer: string; n: number; address?: string; to: Subscription | null };

const change: fc.Arbitrary<Change> = fc.record(
  {
    customer: fc.constantFrom(...CUSTOMERS),
    n: fc.constantFrom(1, 2, 3),
    address: fc.constantFrom(...ADDRESSES),
    to: fc.option(
      fc.record({
        product: fc.constantFrom(...PRODUCTS),
        status: fc.constantFrom("active", "trialing"),
        ending: fc.boolean(),
      }),
    ),
  },
  { requiredKeys: ["customer", "n", "to"] },
);

/** No customer returns to a former address, no subscription to its trial, and an ended one stays ended. */
export const history: fc.Arbitrary<Happening[]> = fc
  .tuple(fc.constantFrom(...ADDRESSES), fc.constantFrom(...ADDRESSES), fc.array(change, { maxLength: 9 }))
  .map(([a, b, changes]) => {
    const all: Happening[] = [
      { customer: "pc_a", address: a, active: {} },
      { customer: "pc_b", address: b, active: {} },
    ];
    for (const { customer, n, address, to } of changes) {
      const own = all.filter((one) => one.customer === customer);
      const last = own.at(-1) as Happening;
      const isReturn = own.some((one) => one.address === address);
      const id = `ps_${customer}_${n}`;
      const isEnded = own.some(({ active }) => active[id]) && !last.active[id];
      const { [id]: was, ...others } = last.active;
      const is = to && { ...to, status: was?.status === "active" ? "active" : to.status };
      all.push({
        customer,
        address: address === undefined || isReturn ? last.address : address,
        active: is === null || isEnded ? others : { ...others, [id]: is },
      });
    }
    return all;
  });

const isoOf = (at: number): string => new Date(at).toISOString();

/** ISO 8601; the same in each webhook of a subscription. */
const startOf = (subscription: string): string => isoOf(1_700_000_000_000 + Number(subscription.at(-1)) * 1_000);

const ENDS = isoOf(1_790_000_000_000);

/** The webhooks of a history, in its order, after those that name the products. */
export const webhooksOf = (happenings: readonly Happening[]): Sent[] => {
  const products = PRODUCTS.map((name, n) =>
    sent(`name ${name}`, "product.created", timeOf(-n - 1), { id: name, name }),
  );
  return [...products, ...happenings.map((one, place) => stateOf(one, place))];
};

const sent = (id: string, type: string, at: number, data: object): Sent => ({
  id,
  type,
  at,
  body: { type, timestamp: isoOf(at), data },
});

const stateOf = ({ customer, address, active }: Happening, place: number): Sent =>
  sent(`state ${place}`, "customer.state_changed", timeOf(place), {
    id: customer,
    email: address,
    name: null,
    deleted_at: null,
    active_subscriptions: Object.entries(active).map(([id, { product, status, ending }]) => ({
      id,
      status,
      product_id: product,
      cancel_at_period_end: ending,
      created_at: startOf(id),
      current_period_end: ENDS,
      trial_end: null,
    })),
  });

/**
 * The contacts at the end of a history, by address. A list has the data of its best subscription alone, so an ended one
 * shows no more than its end.
 */
export const contactsOf = (happenings: readonly Happening[]): Readonly<Record<string, Record<string, unknown>>> => {
  const last = CUSTOMERS.map((customer) => happenings.findLastIndex((one) => one.customer === customer));
  const shownAt = (at: string): Record<string, unknown> => {
    const here = last
      .flatMap((place) => (happenings[place]?.address === at ? [{ place, ...(happenings[place] as Happening) }] : []))
      .sort((a, b) => b.place - a.place);
    const best = here.flatMap(({ active }) => Object.entries(active)).sort(better)[0];
    const hadOne = happenings.some(
      ({ customer, active }) => here.some((one) => one.customer === customer) && Object.keys(active).length > 0,
    );
    return {
      ...(best
        ? { plan: best[1].product, subscriptionStatus: best[1].status, cancelAtPeriodEnd: best[1].ending }
        : hadOne && { subscriptionStatus: "canceled" }),
      ...(here[0] && { polarCustomerId: here[0].customer }),
    };
  };
  return Object.fromEntries(ADDRESSES.map((at) => [at, shownAt(at)]));
};

/** Active before trialing, then the later start, then the larger id. */
const better = ([idA, a]: [string, Subscription], [idB, b]: [string, Subscription]): number =>
  Number(b.status === "active") - Number(a.status === "active") ||
  (startOf(idA) === startOf(idB) ? (idA < idB ? 1 : -1) : startOf(idA) < startOf(idB) ? 1 : -1);
