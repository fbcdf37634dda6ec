import { readValue, saveValue } from "../../lib/util/kv.ts";
import type { ByPlan, ObjectName, PlannedDelivery } from "../../rules/types.ts";

export const MAX_NAMES = 1_000;

/** Keyed by id; `occurredAt` in Unix ms. */
type Names = Record<string, [name: string, occurredAt: number]>;

const read = (sql: SqlStorage): Names => readValue<Names>(sql, "names") ?? {};

/**
 * Stores new object names in one row, in the caller's transaction.
 *
 * @returns the names that are new
 */
export const learnNames = (sql: SqlStorage, names: readonly ObjectName[], occurredAt: number): ObjectName[] => {
  const known = read(sql);
  const newer = names.filter(({ id, name }) => {
    const [before, at] = Object.hasOwn(known, id) ? (known[id] ?? []) : [];
    return name !== before && occurredAt >= (at ?? 0);
  });
  if (newer.length === 0) return [];
  for (const { id, name } of newer) {
    delete known[id];
    known[id] = [name, occurredAt];
  }
  saveValue(sql, "names", Object.fromEntries(Object.entries(known).slice(-MAX_NAMES)));
  return newer;
};

/** Fills in known names. A contact keeps the ids, so that a name which comes later can be written. */
export const fillNames = <C extends PlannedDelivery>(sql: SqlStorage, deliveries: readonly C[]): C[] => {
  const known = deliveries.some(({ names, byPlan }) => names ?? byPlan) ? read(sql) : {};
  const filled = <D extends PlannedDelivery>(delivery: D): D => {
    const { names } = delivery;
    if (!names) return delivery;
    const found = Object.fromEntries(
      Object.entries(names).flatMap(([property, id]) => {
        const [name] = Object.hasOwn(known, id) ? (known[id] ?? []) : [];
        return name === undefined ? [] : [[property, name]];
      }),
    );
    return withNames(delivery, found);
  };
  return deliveries.map((delivery) => {
    const own = filled(delivery);
    return own.byPlan ? { ...own, byPlan: eachPlan(own.byPlan, filled) } : own;
  });
};

/** Changes what a delivery is by each plan. */
export const eachPlan = (byPlan: ByPlan, change: (one: PlannedDelivery) => PlannedDelivery): ByPlan => ({
  ...byPlan,
  plans: Object.fromEntries(Object.entries(byPlan.plans).map(([product, one]) => [product, one && change(one)])),
});

const withNames = <C extends PlannedDelivery>(planned: C, names: Record<string, string>): C => {
  if (planned.action === "contact") return { ...planned, properties: { ...planned.properties, ...names } };
  const { names: _, ...rest } = planned;
  const delivery = rest as C;
  if (delivery.action === "event") return { ...delivery, eventProperties: { ...delivery.eventProperties, ...names } };
  if (delivery.action === "transactional")
    return { ...delivery, dataVariables: { ...delivery.dataVariables, ...names } };
  return delivery;
};
