import { planAfter } from "../../lib/webhook/plan-after.ts";
import type { ByPlan, PlannedDelivery, Rivals, StoredState } from "../../rules/types.ts";
import { isNewer, isSame, type Watermark } from "./watermarks.ts";

export type Dated = readonly [value: string | number | boolean | null, watermark: Watermark];
type Values = Readonly<Record<string, Dated>>;

/** Begins the name of a value that is stored only. */
export const STATE = "=";
/** The newest values by the plan before. */
const PLANS = `${STATE}@`;
/** The plan that webhooks led to that are not kept any more. */
const REACHED = `${STATE}^`;
/** Webhooks of a subscription with rivals, newest first. */
const MAX_TOLD = 8;

const nameOf = ([at, rank]: Watermark): string => `${PLANS}${at}.${rank}`;

type Told = { name: string; watermark: Watermark; text: string };
/** The plan after a webhook, and its rivals. */
type Reached = { plan?: string | undefined; former: readonly string[] };

const isTold = (name: string): boolean => name.startsWith(PLANS) && name !== PLANS;

/** Lists the stored webhooks of a subscription, oldest first. */
const toldIn = (values: Values): Told[] => {
  const since = values[REACHED]?.[1];
  return Object.entries(values)
    .flatMap(([name, [text, watermark]]) =>
      isTold(name) && !(since && !isNewer(watermark, since)) ? [{ name, watermark, text: String(text) }] : [],
    )
    .sort((a, b) => (isNewer(a.watermark, b.watermark) ? 1 : -1));
};

const rivalsIn = ({ text }: Told): Rivals => JSON.parse(text) as Rivals;

export const storedRivals = (rivals: Rivals, watermark: Watermark): [string, Dated] => [
  nameOf(watermark),
  [JSON.stringify(rivals), watermark],
];

/** Returns what is known of the time before the stored webhooks. Of an older webhook, the plan is the best guess. */
const startOf = (values: Values, watermark?: Watermark): Reached => {
  const [text, since] = values[REACHED] ?? [];
  if (!since) return { former: [] };
  const reached = JSON.parse(String(text)) as Reached;
  return watermark && !isNewer(watermark, since) ? { ...reached, former: [] } : reached;
};

const next = ({ plan, former }: Reached, rivals: readonly string[]): Reached => ({
  plan: planAfter(plan, former, rivals),
  former: rivals,
});

const through = (start: Reached, told: readonly Told[]): Reached =>
  told.map(rivalsIn).reduce((reached, { now, before }) => next(before ? next(reached, before) : reached, now), start);

/**
 * Leaves out what repeats the webhooks around it, which does not depend on their order of arrival. Of the oldest ones
 * only the plan is kept.
 */
const withFewRivals = (values: Values): Values => {
  const told = toldIn(values);
  if (told.length <= 2 && !values[REACHED]) return values;
  const different = told.filter(({ text }, n) => text !== told[n - 1]?.text || text !== told[n + 1]?.text);
  const [oldest, kept] = [different.slice(0, -MAX_TOLD), different.slice(-MAX_TOLD)];
  const names = new Set(kept.map(({ name }) => name));
  const left = Object.entries(values).filter(([name]) => !isTold(name) || names.has(name));
  const last = oldest.at(-1);
  if (last) left.push([REACHED, [JSON.stringify(through(startOf(values), oldest)), last.watermark]]);
  return left.length === Object.keys(values).length && !last ? values : Object.fromEntries(left);
};

/**
 * Returns the product that was the plan before a webhook, if it tells the items before; else the one that is.
 *
 * @param watermark of the webhook: newer ones do not count
 */
export const storedPlan = (values: Values, { now, before }: Rivals, watermark: Watermark): string | undefined => {
  const older = toldIn(values).filter((told) => isNewer(watermark, told.watermark));
  return next(through(startOf(values, watermark), older), before ?? now).plan;
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
