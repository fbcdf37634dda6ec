import type { PlannedDelivery, PlannedSubscription } from "../../rules/types.ts";
import type { Customers } from "./customers.ts";
import { type ContactRow, readRow } from "./identity-rows.ts";
import { type Dated, STATE, storedPlans, storedRivals, valuesOf, withPlan } from "./stored-plan.ts";
import { isNewer, type Watermark, type Watermarks, WHOLE, watermarksIn } from "./watermarks.ts";

/** The value of `STANDING` is the rank of the status. */
type Subscription = {
  startedAt?: string;
  customer?: string;
  /** Moved from another person, and not yet shown by an update. */
  moved?: true;
  values: Readonly<Record<string, Dated>>;
};

/** A person's subscriptions by id; ids begin with the source ("stripe:sub_1"). */
export type Subscriptions = Readonly<Record<string, Subscription>>;

/** No property has this name. */
const STANDING = "";
const UNKNOWN = 5;
/** Rank of a trial in `src/rules/billing/standing.ts`. */
const TRIALING = 40;
/** Rank of a subscription that is not paid or has not begun. */
const NOT_RUNNING = 10;
/** The best ones are kept, so subscriptions that ended first are dropped first. */
const MAX_STORED = 20;

/** The part of a person that belongs to customers, and moves with them. */
export type State = { subscriptions: Subscriptions; customers: Customers };
export type Known = State & { watermarks: Watermarks };

export const readKnown = (sql: SqlStorage, person: string): Known => {
  const row = readRow(sql, person);
  return row ? knownOf(row) : { watermarks: {}, subscriptions: {}, customers: {} };
};

export const knownOf = (row: ContactRow): Known => ({
  watermarks: watermarksIn(row),
  subscriptions: row.subscriptions ? (JSON.parse(row.subscriptions) as Subscriptions) : {},
  customers: row.customers ? (JSON.parse(row.customers) as Customers) : {},
});

/** Returns the contact properties of the state. */
export const namesIn = ({ subscriptions, customers }: State): string[] => {
  const values = Object.values(subscriptions).flatMap((one) => Object.keys(one.values));
  return [...new Set([...values, ...Object.values(customers).map(({ as }) => as)])].filter(
    (name) => name !== STANDING && !name.startsWith(STATE),
  );
};

export const plannedSubscriptions = (delivery: PlannedDelivery, watermark: Watermark): Subscriptions => {
  const { subscription: planned, byPlan } = delivery;
  if (!planned) return {};
  const given = Object.entries(valuesOf(delivery)).map(([name, value]): [string, Dated] => [name, [value, watermark]]);
  const { id, customer, standing, startedAt, rivals } = planned;
  if (rivals) given.push(storedRivals(rivals, watermark));
  if (byPlan) given.push(storedPlans(byPlan, delivery, watermark));
  if (standing !== undefined) given.push([STANDING, [standing, watermark]]);
  const about = { ...(startedAt === undefined ? {} : { startedAt }), ...(customer === undefined ? {} : { customer }) };
  const own = { [id]: { ...about, values: Object.fromEntries(given) } };
  if (!planned.active) return own;
  const values = { [ACTIVE]: [JSON.stringify(planned.active), watermark] as const };
  return { ...own, [listOf(id, customer)]: { ...about, values } };
};

const ACTIVE = `${STATE}active`;

/** Returns the id under which a customer's list of active subscriptions is stored. */
const listOf = (id: string, customer = ""): string => `${everyOf(id)}${customer}`;

/** Ends a subscription that was active before its customer's newest list of active ones, and is not in it. */
const endedBy = (all: Subscriptions, [id, subscription]: [string, Subscription]): [string, Subscription] => {
  const [text, watermark] = all[listOf(id, subscription.customer)]?.values[ACTIVE] ?? [];
  const said = subscription.values[STANDING];
  if (!watermark || !said || Number(said[0]) < TRIALING || !isNewer(watermark, said[1])) return [id, subscription];
  const { ids, ended } = JSON.parse(String(text)) as NonNullable<PlannedSubscription["active"]>;
  if (ids.includes(id)) return [id, subscription];
  const values = Object.entries({ ...ended, [STANDING]: 0 }).map(([name, value]) => [name, [value, watermark]]);
  return [id, { ...subscription, values: { ...subscription.values, ...Object.fromEntries(values) } }];
};

/** Merges subscriptions; the newer value wins. */
export const merged = (a: Subscriptions, b: Subscriptions): Subscriptions => {
  const all: Record<string, Subscription> = { ...a };
  for (const [id, { startedAt, values, ...about }] of Object.entries(b)) {
    const known = all[id];
    const newer = Object.entries(values).filter(([name, [, watermark]]) => {
      const other = known && Object.hasOwn(known.values, name) ? known.values[name] : undefined;
      return !other || !isNewer(other[1], watermark);
    });
    const start = [startedAt ?? "", known?.startedAt ?? ""].sort()[1];
    const customer = about.customer ?? known?.customer;
    all[id] = {
      ...about,
      ...(customer ? { customer } : {}),
      ...(start ? { startedAt: start } : {}),
      values: { ...known?.values, ...Object.fromEntries(newer) },
    };
  }
  return all;
};

const planned = (subscription: Subscription): Subscription => {
  const values = withPlan(subscription.values);
  return values === subscription.values ? subscription : { ...subscription, values };
};

const everyOf = (id: string): string => `${id.slice(0, id.indexOf(":"))}:*`;

/** Removes values older than the contact's deletion or the source's end of all subscriptions, and ends inactive ones. */
export const current = (all: Subscriptions, watermarks: Watermarks): Subscriptions => {
  const deleted = watermarks[WHOLE];
  const now = Object.entries(all).map(([id, one]) => endedBy(all, [id, planned(one)]));
  const left = now.map(([id, subscription]): [string, Subscription] => {
    const every = id === everyOf(id) ? undefined : all[everyOf(id)]?.values[STANDING]?.[1];
    const isLeft = ([, [, watermark]]: [string, Dated]) =>
      !(deleted && isNewer(deleted, watermark)) && !(every && isNewer(every, watermark));
    return [id, { ...subscription, values: Object.fromEntries(Object.entries(subscription.values).filter(isLeft)) }];
  });
  return Object.fromEntries(left.filter(([, { values }]) => Object.keys(values).length > 0));
};

export const hasAny = (all: Subscriptions, some: Subscriptions): boolean =>
  Object.entries(some).some(([id, { values }]) =>
    Object.entries(values).some(([name, value]) => all[id]?.values[name] === value),
  );

const standingOf = ({ values }: Subscription): number => Number(values[STANDING]?.[0] ?? UNKNOWN);

/** Best first: standing, later start, id. */
const byRank = ([idA, a]: [string, Subscription], [idB, b]: [string, Subscription]): number => {
  const starts = [a.startedAt ?? "", b.startedAt ?? ""] as const;
  return standingOf(b) - standingOf(a) || compare(starts[1], starts[0]) || compare(idB, idA);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** False for an object of which only state is stored. */
const isSubscription = ([, { values }]: [string, Subscription]): boolean =>
  Object.keys(values).some((name) => !name.startsWith(STATE));

export const bestOf = (all: Subscriptions): string | undefined =>
  Object.entries(all).filter(isSubscription).sort(byRank)[0]?.[0];

/** Returns the best subscription's properties; others are null, so webhook order does not matter. */
export const shownProperties = (all: Subscriptions): Record<string, string | number | boolean | null> => {
  const best = all[bestOf(all) ?? ""];
  const names = new Set(Object.values(all).flatMap(({ values }) => Object.keys(values)));
  names.delete(STANDING);
  const shownNames = [...names].filter((name) => !name.startsWith(STATE));
  return Object.fromEntries(shownNames.map((name) => [name, best?.values[name]?.[0] ?? null]));
};

export const stored = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).sort(byRank).slice(0, MAX_STORED));

/** Returns subscriptions that have not ended. */
export const notEnded = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).filter((one) => isSubscription(one) && standingOf(one[1]) > 0));

/** Returns the ids of running subscriptions. One that has ended, is unpaid or has not begun does not count. */
export const running = (all: Subscriptions): string[] =>
  Object.entries(notEnded(all)).flatMap(([id, one]) => (standingOf(one) === NOT_RUNNING ? [] : [id]));

/** Returns the stored values of one object, by the names of the rules. */
export const stateOf = (all: Subscriptions, id: string): ReadonlyMap<string, Dated> =>
  new Map(
    Object.entries(all[id]?.values ?? {})
      .filter(([name]) => name !== STANDING)
      .map(([name, value]) => [name.startsWith(STATE) ? name.slice(STATE.length) : name, value]),
  );

/** Marks subscriptions as moved to another person. */
export const moved = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).map(([id, subscription]) => [id, { ...subscription, moved: true }]));

/** Marks subscriptions as shown by the contact. */
export const shown = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).map(([id, { moved: _, ...subscription }]) => [id, subscription]));

export const hasMoved = (all: Subscriptions | Customers): boolean => Object.values(all).some((one) => one.moved);

/** Separates a customer's subscriptions from the others. */
export const ofCustomer = (all: Subscriptions, customer: string): { own: Subscriptions; others: Subscriptions } => {
  const isOwn = ([, one]: [string, Subscription]) => one.customer === customer;
  const entries = Object.entries(all);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    others: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
};
