import type { PlannedCall } from "../../rules/types.ts";
import { type ContactRow, readRow } from "./rows.ts";
import { isNewer, type Watermark, type Watermarks, WHOLE, watermarksIn } from "./watermarks.ts";

/** A value, and the watermark of the webhook that gave it. */
type Dated = readonly [value: string | number | boolean | null, watermark: Watermark];

/** What webhooks said last about one subscription. The value of `STANDING` is the rank of its status. */
type Subscription = {
  startedAt?: string;
  customer?: string;
  /** It came from another person, and no update of this person's contact has shown it yet. */
  moved?: true;
  values: Readonly<Record<string, Dated>>;
};

/** The subscriptions of a person by their ids, which begin with the source ("stripe:sub_1"). */
export type Subscriptions = Readonly<Record<string, Subscription>>;

/** No property has this name. */
const STANDING = "";
/** The standing of a subscription whose status no webhook has told. */
const UNKNOWN = 5;
/** Subscriptions stored for a person: the best ones, so that those that ended first are dropped first. */
const MAX_STORED = 20;

/** What is stored about the values that a person's contact has at the host. */
export type Known = { watermarks: Watermarks; subscriptions: Subscriptions };

export const readKnown = (sql: SqlStorage, person: string): Known => {
  const row = readRow(sql, person);
  return row ? knownOf(row) : { watermarks: {}, subscriptions: {} };
};

export const knownOf = (row: ContactRow): Known => ({
  watermarks: watermarksIn(row),
  subscriptions: row.subscriptions ? (JSON.parse(row.subscriptions) as Subscriptions) : {},
});

/** The subscription that a planned update is about, by its id. */
export const plannedSubscriptions = (
  { subscription: planned, properties }: PlannedCall & { action: "contact" },
  watermark: Watermark,
): Subscriptions => {
  if (!planned) return {};
  const given = planned.properties.flatMap((name): [string, Dated][] => {
    const value = properties[name];
    return value === undefined ? [] : [[name, [value, watermark]]];
  });
  const { id, customer, standing, startedAt } = planned;
  if (standing !== undefined) given.push([STANDING, [standing, watermark]]);
  const about = { ...(startedAt === undefined ? {} : { startedAt }), ...(customer === undefined ? {} : { customer }) };
  return { [id]: { ...about, values: Object.fromEntries(given) } };
};

/** Both sets of subscriptions; where both have a value, the newer one, else that of `b`. */
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

/** The id under which a source says something about all subscriptions of a person. */
const everyOf = (id: string): string => `${id.slice(0, id.indexOf(":"))}:*`;

/** The subscriptions without values from before the contact was deleted, or before the source ended all of them. */
export const current = (all: Subscriptions, watermarks: Watermarks): Subscriptions => {
  const deleted = watermarks[WHOLE];
  const left = Object.entries(all).map(([id, subscription]): [string, Subscription] => {
    const every = id === everyOf(id) ? undefined : all[everyOf(id)]?.values[STANDING]?.[1];
    const isLeft = ([, [, watermark]]: [string, Dated]) =>
      !(deleted && isNewer(deleted, watermark)) && !(every && isNewer(every, watermark));
    return [id, { ...subscription, values: Object.fromEntries(Object.entries(subscription.values).filter(isLeft)) }];
  });
  return Object.fromEntries(left.filter(([, { values }]) => Object.keys(values).length > 0));
};

/** True where one of these values is among all. */
export const hasAny = (all: Subscriptions, some: Subscriptions): boolean =>
  Object.entries(some).some(([id, { values }]) =>
    Object.entries(values).some(([name, value]) => all[id]?.values[name] === value),
  );

const standingOf = ({ values }: Subscription): number => Number(values[STANDING]?.[0] ?? UNKNOWN);

/** The best first: by standing, then by the later start, then by id. */
const byRank = ([idA, a]: [string, Subscription], [idB, b]: [string, Subscription]): number => {
  const starts = [a.startedAt ?? "", b.startedAt ?? ""] as const;
  return standingOf(b) - standingOf(a) || compare(starts[1], starts[0]) || compare(idB, idA);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The id of the best subscription. */
export const bestOf = (all: Subscriptions): string | undefined => Object.entries(all).sort(byRank)[0]?.[0];

/**
 * The properties that the contact shows: those of the best subscription. A property that only other subscriptions have is
 * null, so that the order of the webhooks makes no difference.
 */
export const shownProperties = (all: Subscriptions): Record<string, string | number | boolean | null> => {
  const best = all[bestOf(all) ?? ""];
  const names = new Set(Object.values(all).flatMap(({ values }) => Object.keys(values)));
  names.delete(STANDING);
  return Object.fromEntries(Array.from(names, (name) => [name, best?.values[name]?.[0] ?? null]));
};

/** The subscriptions to store. */
export const stored = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).sort(byRank).slice(0, MAX_STORED));

/** The subscriptions that have not ended. */
export const running = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).filter(([, subscription]) => standingOf(subscription) > 0));

/** The subscriptions as another person gets them. */
export const moved = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).map(([id, subscription]) => [id, { ...subscription, moved: true }]));

/** The subscriptions once the contact shows them. */
export const shown = (all: Subscriptions): Subscriptions =>
  Object.fromEntries(Object.entries(all).map(([id, { moved: _, ...subscription }]) => [id, subscription]));

export const hasMoved = (all: Subscriptions): boolean => Object.values(all).some((one) => one.moved);

/** The subscriptions of a customer of a provider, and the others. */
export const ofCustomer = (all: Subscriptions, customer: string): { own: Subscriptions; others: Subscriptions } => {
  const isOwn = ([, one]: [string, Subscription]) => one.customer === customer;
  const entries = Object.entries(all);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    others: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
};
