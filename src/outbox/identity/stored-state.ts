import type { Comparisons, PlannedDelivery, StoredCondition, StoredState } from "../../rules/types.ts";
import type { Dated } from "./stored-plan.ts";
import { type Subscriptions, stateOf } from "./subscriptions.ts";
import { isNewer, type Watermark } from "./watermarks.ts";

type Stored = ReadonlyMap<string, Dated>;
type Given = StoredState[string];

/** `against`: the comparison that does not hold, in words. `values`: the stored ones, by name. */
export type Verdict = { against?: string; values: StoredState };

/** Compares stored state with a webhook's. `own`: the watermark of a webhook that says this state; an older one tells nothing. */
export const judge = (all: Subscriptions, condition: StoredCondition, own: Watermark | undefined): Verdict => {
  const stored = stateOf(all, condition.id);
  const values = Object.fromEntries(Array.from(stored, ([name, [value]]) => [name, value]));
  const against =
    (own && newerThan(own, stored, condition)) ?? contradiction(stored, condition) ?? exception(stored, condition);
  return against === undefined ? { values } : { against, values };
};

const newerThan = (webhook: Watermark, stored: Stored, condition: StoredCondition): string | undefined => {
  const name = [condition, ...(condition.unless ?? [])].flatMap(namesIn).find((one) => {
    const known = stored.get(one);
    return known && isNewer(known[1], webhook);
  });
  return name === undefined ? undefined : `a newer webhook has already said what ${name} is`;
};

const namesIn = ({ is, isNot, changed, below, above }: Comparisons<StoredState>): string[] =>
  Object.keys({ ...is, ...isNot, ...changed, ...below, ...above });

type Test = (was: Given | undefined, now: Given, name: string) => string | undefined;

const shown = (value: Given): string => (value === null ? "empty" : String(value));

const was = (name: string, value: Given | undefined): string =>
  value === undefined ? `${name} was not known before` : `${name} was ${shown(value)}`;

const TESTS: Readonly<Record<keyof Comparisons<StoredState>, Test>> = {
  isNot: (before, now, name) => (before === now ? `${was(name, before)} already` : undefined),
  is: (before, now, name) => (before === now ? undefined : `${was(name, before)}, not ${shown(now)}`),
  changed: (before, now, name) =>
    before === undefined ? was(name, before) : before === now ? `${name} has not changed` : undefined,
  below: (before, now, name) => (isLess(before, now) ? undefined : `${was(name, before)}, not less than ${shown(now)}`),
  above: (before, now, name) => (isLess(now, before) ? undefined : `${was(name, before)}, not more than ${shown(now)}`),
};

const isLess = (a: Given | undefined, b: Given | undefined): boolean =>
  typeof a === "number" && typeof b === "number" && a < b;

const contradiction = (stored: Stored, comparisons: Comparisons<StoredState>): string | undefined => {
  for (const [kind, test] of Object.entries(TESTS))
    for (const [name, now] of Object.entries(comparisons[kind as keyof typeof TESTS] ?? {})) {
      const against = test(stored.get(name)?.[0], now, name);
      if (against !== undefined) return against;
    }
  return undefined;
};

const exception = (stored: Stored, { unless = [] }: StoredCondition): string | undefined => {
  const other = unless.find((one) => contradiction(stored, one) === undefined);
  return other && `another rule tells it: ${namesIn(other).join(" and ")} changed as it says`;
};

/** Fills in a delivery's stored values. */
export const withStored = <D extends PlannedDelivery>(delivery: D, values: StoredState): D => {
  const given = Object.fromEntries(
    Object.entries(delivery.stored ?? {}).flatMap(([property, name]) => {
      const value = values[name];
      return value === undefined || value === null ? [] : [[property, value]];
    }),
  );
  if (delivery.action === "event") return { ...delivery, eventProperties: { ...delivery.eventProperties, ...given } };
  if (delivery.action === "transactional")
    return { ...delivery, dataVariables: { ...delivery.dataVariables, ...given } };
  return delivery;
};
