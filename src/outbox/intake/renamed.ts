import { ERASED } from "../../lib/names/finder.ts";
import type { ObjectName, PlannedDelivery } from "../../rules/types.ts";
import { eachPlan } from "../identity/object-names.ts";
import { readDeliveries } from "../journal/read.ts";
import { reopenDeliveries } from "../journal/write.ts";
import { NAMED, waitingSince } from "../model/delivery-state.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";

/** The newest webhooks that a new name reaches: those read, and those written. */
export const LATE_NAMES = { read: 500, written: 100 };

export type Added = DeliveryRef & { source: string; delivery: Delivery };

/**
 * Writes new names to the contacts of the newest webhooks, in the caller's transaction. The deliveries are added to
 * those webhooks, so newer values of a contact win.
 */
export const writeNames = (sql: SqlStorage, named: readonly ObjectName[], now: number): Added[] => {
  if (named.length === 0) return [];
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const found = sql.exec<{ seq: number }>(
    `SELECT seq FROM (SELECT seq, deliveries FROM webhooks ORDER BY seq DESC LIMIT ?1)
     WHERE EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(deliveries, json_quote(value)) > 0) LIMIT ?3`,
    LATE_NAMES.read,
    JSON.stringify([...names.keys()]),
    LATE_NAMES.written,
  );
  return found.toArray().flatMap(({ seq }) => addNamed(sql, seq, names, now));
};

const addNamed = (sql: SqlStorage, seq: number, names: ReadonlyMap<string, string>, now: number): Added[] => {
  const webhook = readDeliveries(sql, seq);
  if (!webhook) return [];
  const { source, eventId, deliveries } = webhook;
  const first = deliveries.length;
  const added = newest(deliveries).flatMap((delivery, n) => {
    const planned = renamed(delivery, names);
    const key = JSON.stringify([source, eventId, NAMED, first + n]);
    return planned ? [{ ...waitingSince({ ...planned, key }, now), lane: "backfill" as const }] : [];
  });
  if (added.length > 0) reopenDeliveries(sql, { seq, deliveries: [...deliveries, ...added] });
  return added.map((delivery, n) => ({ seq, index: first + n, source, delivery }));
};

type Update = Delivery & { action: "contact" };

/** The last update of each subscription, and of the contact itself. */
const newest = (deliveries: readonly Delivery[]): Update[] => [
  ...new Map(
    deliveries.flatMap((delivery) =>
      delivery.action === "contact" && (delivery.names ?? delivery.byPlan)
        ? [[delivery.subscription?.id, delivery] as const]
        : [],
    ),
  ).values(),
];

const newNames = (
  { properties, names = {} }: PlannedDelivery & { action: "contact" },
  all: ReadonlyMap<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([property, id]): [string, string][] => {
      const name = all.get(id);
      return name === undefined || name === properties[property] ? [] : [[property, name]];
    }),
  );

const withNew = (one: PlannedDelivery, all: ReadonlyMap<string, string>): PlannedDelivery =>
  one.action === "contact" ? { ...one, properties: { ...one.properties, ...newNames(one, all) } } : one;

const ofSubscription = ({ properties, subscription }: Update): Update["properties"] =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => subscription?.properties.includes(name)));

/** Undefined if the contact gets no other name by this update. */
const renamed = (delivery: Update, all: ReadonlyMap<string, string>): PlannedDelivery | undefined => {
  const { state, contact, names, subscription, guesses, waitsForTie, mayStayUnknown, byPlan } = delivery;
  if ((state !== "waiting" && state !== "done") || Object.values(contact).includes(ERASED)) return undefined;
  const given = newNames(delivery, all);
  const plans = byPlan && eachPlan(byPlan, (one) => withNew(one, all));
  const isOther = plans && JSON.stringify(plans) !== JSON.stringify(byPlan);
  if (Object.keys(given).length === 0 && !isOther) return undefined;
  const { state: stored, active: _, ...own } = subscription ?? { id: "", properties: [] };
  // The values by plan are stored as a whole.
  const properties = plans ? { ...ofSubscription(delivery), ...given } : given;
  return {
    rule: NAMED,
    action: "contact",
    contact,
    properties,
    ...(names && { names }),
    ...(subscription && {
      subscription: {
        ...own,
        properties: own.properties.filter((name) => name in properties),
        ...(plans && stored && { state: stored }),
      },
    }),
    ...(plans && { byPlan: plans }),
    ...(guesses && { guesses }),
    ...(waitsForTie && { waitsForTie }),
    ...(mayStayUnknown && { mayStayUnknown }),
  };
};
