import { planAfter } from "../../lib/webhook/plan-after.ts";
import type { ByPlan, PlannedDelivery, Rivals, StoredState } from "../../rules/types.ts";
import { isNewer, isSame, type Watermark } from "./watermarks.ts";

export type Dated = readonly [value: string | number | boolean | null, watermark: Watermark];
type Values = Readonly<Record<string, Dated>>;

/** Begins the name of a value that is stored only. */
export const STATE = "=";
/** The newest values by the plan before. */
const PLANS = `${STATE}@`;
/** Webhooks of a subscription with rivals, newest first. */
const MAX_TOLD = 8;

const nameOf = ([at, rank]: Watermark): string => `${PLANS}${at}.${rank}`;

type Told = { name: string; watermark: Watermark; text: string };

/** Lists the stored webhooks of a subscription, oldest first. */
const toldIn = (values: Values): Told[] =>
  Object.entries(values)
    .flatMap(([name, [text, watermark]]) =>
      name.startsWith(PLANS) && name !== PLANS ? [{ name, watermark, text: String(text) }] : [],
    )
    .sort((a, b) => (isNewer(a.watermark, b.watermark) ? 1 : -1));

const rivalsIn = ({ text }: Told): Rivals => JSON.parse(text) as Rivals;

export const storedRivals = (rivals: Rivals, watermark: Watermark): [string, Dated] => [
  nameOf(watermark),
  [JSON.stringify(rivals), watermark],
];

/** Leaves out what repeats the webhooks around it. The result does not depend on their order of arrival. */
const withFewRivals = (values: Values): Values => {
  const told = toldIn(values);
  if (told.length <= 2) return values;
  const dropped = new Set(told.slice(0, -MAX_TOLD).map(({ name }) => name));
  for (const [n, { name, text }] of told.entries())
    if (text === told[n - 1]?.text && text === told[n + 1]?.text) dropped.add(name);
  return dropped.size === 0
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.has(name)));
};

/**
 * Returns the product that was the plan before a webhook, if it tells the items before; else the one that is.
 *
 * @param watermark of the webhook: newer ones do not count
 */
export const storedPlan = (values: Values, { now, before }: Rivals, watermark: Watermark): string | undefined => {
  let plan: string | undefined;
  let former: readonly string[] = [];
  const next = (rivals: readonly string[]) => {
    plan = planAfter(plan, former, rivals);
    former = rivals;
  };
  for (const told of toldIn(values)) {
    if (!isNewer(watermark, told.watermark)) break;
    const rivals = rivalsIn(told);
    if (rivals.before) next(rivals.before);
    next(rivals.now);
  }
  next(before ?? now);
  return plan;
};

/** Returns the values of a delivery's subscription, by stored name. */
export const valuesOf = (delivery: PlannedDelivery): StoredState => {
  const { properties: names = [], state = {} } = delivery.subscription ?? {};
  const properties = delivery.action === "contact" ? delivery.properties : {};
  const values: Record<string, string | number | boolean | null> = {};
  for (const name of names) if (properties[name] !== undefined) values[name] = properties[name];
  for (const [name, value] of Object.entries(state)) values[`${STATE}${name}`] = value;
  return values;
};

export const storedPlans = ({ plans }: ByPlan, delivery: PlannedDelivery, watermark: Watermark): [string, Dated] => {
  const others = Object.entries(plans).flatMap(([product, one]) => (one ? [[product, valuesOf(one)]] : []));
  return [PLANS, [JSON.stringify({ "": valuesOf(delivery), ...Object.fromEntries(others) }), watermark]];
};

/** Gives the values of the newest webhook with several rivals, by the plan that was stored before it. */
export const withPlan = (given: Values): Values => {
  const values = withFewRivals(given);
  const [text, watermark] = values[PLANS] ?? [];
  const told = watermark && values[nameOf(watermark)];
  if (!told) return values;
  const plans = JSON.parse(String(text)) as Record<string, StoredState>;
  const plan = storedPlan(values, JSON.parse(String(told[0])) as Rivals, watermark);
  const chosen = Object.entries(plans[plan ?? ""] ?? plans[""] ?? {}).flatMap(([name, value]): [string, Dated][] => {
    const known = values[name];
    return known && isSame(known[1], watermark) && known[0] !== value ? [[name, [value, watermark]]] : [];
  });
  return chosen.length === 0 ? values : { ...values, ...Object.fromEntries(chosen) };
};
