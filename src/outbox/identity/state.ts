import type { DeliveryRef } from "../model/journal-types.ts";
import { currentCustomers, mergedCustomers, movedCustomers } from "./customers.ts";
import { isRef, personOf, REF } from "./identity-rows.ts";
import { type Restated, restatedBy } from "./restated.ts";
import { current, type Known, merged, moved, namesIn, readKnown, type State, stored } from "./subscriptions.ts";
import { saveWatermarks, type Watermarks, withoutAnswered } from "./watermarks.ts";

const isEmpty = (values: object): boolean => Object.keys(values).length === 0;

/** Adds what moves to a person. The next update of the contact shows it. */
export const give = (sql: SqlStorage, person: string, { watermarks, subscriptions, customers }: Known, now: number) => {
  const known = readKnown(sql, person);
  saveWatermarks(sql, person, known.watermarks, watermarks, now, {
    subscriptions: isEmpty(subscriptions) ? undefined : stored(merged(known.subscriptions, moved(subscriptions))),
    customers: isEmpty(customers) ? undefined : mergedCustomers(known.customers, movedCustomers(customers)),
  });
};

/** True unless links lead from the customer's ref to another person. */
export const isCustomerOf = (sql: SqlStorage, person: string, ref: string): boolean => {
  const owner = personOf(sql, REF + ref);
  return owner === person || isRef(owner);
};

/**
 * Saves the state that a request gave a person. The state of customers who moved meanwhile goes to their persons.
 *
 * @param answered the deliveries of the request, if it was answered
 * @returns the contacts that must be written again
 */
export const saveState = (
  sql: SqlStorage,
  person: string,
  { written, ...said }: State & { written: Watermarks },
  now: number,
  answered: readonly (DeliveryRef & { attempts: number })[] = [],
): Restated[] => {
  const { own, strays } = byOwner(sql, person, said);
  const { watermarks: before, subscriptions, customers } = readKnown(sql, person);
  const watermarks = withoutAnswered(before, answered);
  const newest = { ...watermarks, ...written };
  const [all, everyone] = [merged(subscriptions, own.subscriptions), mergedCustomers(customers, own.customers)];
  saveWatermarks(sql, person, watermarks, written, now, {
    subscriptions: isEmpty(all) ? undefined : stored(current(all, newest)),
    customers: isEmpty(everyone) ? undefined : currentCustomers(everyone, newest),
  });
  return [...strays].flatMap(([owner, state]) => {
    give(sql, owner, { watermarks: {}, ...state }, now);
    return restatedBy(person, owner, namesIn(state));
  });
};

const byOwner = (sql: SqlStorage, person: string, said: State): { own: State; strays: Map<string, State> } => {
  const own: State = { subscriptions: {}, customers: {} };
  const strays = new Map<string, State>();
  const add = (ref: string | undefined, part: Partial<State>) => {
    const isOwn = ref === undefined || isCustomerOf(sql, person, ref);
    const owner = isOwn ? person : personOf(sql, REF + ref);
    const state = isOwn ? own : (strays.get(owner) ?? { subscriptions: {}, customers: {} });
    Object.assign(state.subscriptions, part.subscriptions);
    Object.assign(state.customers, part.customers);
    if (!isOwn) strays.set(owner, state);
  };
  for (const [id, one] of Object.entries(said.subscriptions)) add(one.customer, { subscriptions: { [id]: one } });
  for (const [ref, one] of Object.entries(said.customers)) add(ref, { customers: { [ref]: one } });
  return { own, strays };
};
