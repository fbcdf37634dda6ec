import { planAfter } from "../../lib/webhook/plan-after.ts";
import { idOf, type Reference } from "../people/customer.ts";
import type { NameOf, PlanChoices, Rivals } from "../types.ts";
import { before, type Change } from "../values/changed.ts";
import { clip } from "../values/clip.ts";
import { intervalOf, perMonth, type Recurring } from "./monthly.ts";
import { nameIn, type PlanChoice, type PlanItem, type PlanNames, rivalsOf, saysAddOn } from "./plan-item.ts";

// Stripe's types cover only the newest API version. `plan` is older, `price` exists since 2020.
type Price = {
  id?: string;
  product?: Product;
  currency?: string;
  nickname?: string | null;
  lookup_key?: string | null;
  unit_amount?: number | null;
  unit_amount_decimal?: string | null;
  billing_scheme?: string;
  transform_quantity?: Transform | null;
  recurring?: { interval?: string; interval_count?: number; usage_type?: string } | null;
};
type Plan = {
  id?: string;
  /** Before API version 2018-02-05. */
  name?: string | null;
  product?: Product;
  currency?: string;
  nickname?: string | null;
  amount?: number | null;
  amount_decimal?: string | null;
  billing_scheme?: string;
  transform_usage?: Transform | null;
  interval?: string;
  interval_count?: number;
  usage_type?: string;
};
type Product = Exclude<Reference, object> | { id: string; name?: string | null };
type Transform = { divide_by: number; round: string };
type Item = {
  id?: string;
  created?: number;
  price?: Price | null;
  plan?: Plan | null;
  /** Null or absent for usage. */
  quantity?: number | null;
  /** On items since API version 2025-03-31, before on the subscription. */
  current_period_end?: number;
};
type Subscription = {
  items?: { data?: Item[] };
  plan?: Plan | null;
  quantity?: number | null;
  current_period_end?: number;
};

/** Before API version 2015-02-18 a subscription has one plan and no items. */
const itemsOf = (subscription: object): Item[] => {
  const { items, plan, quantity } = subscription as Subscription;
  return items?.data ?? (plan ? [{ plan, quantity: quantity ?? 1 }] : []);
};

const over = <T extends { id?: string }>(newer: T | null | undefined, older: T): T =>
  older.id === undefined || older.id === newer?.id ? { ...newer, ...older } : older;

const formerItem = (older: Item, items: readonly Item[], index: number): Item => {
  const newer = older.id === undefined ? items[index] : items.find(({ id }) => id === older.id);
  const plan = older.plan ? over(newer?.plan, older.plan) : newer?.plan;
  // Without a former price beside the former plan, the current price would be wrong.
  const price = older.price ? over(newer?.price, older.price) : older.plan ? undefined : newer?.price;
  return { ...newer, ...older, ...(plan ? { plan } : {}), price: price ?? null };
};

/** Newer API versions send the whole former list, also on a renewal (since 2025-03-31). */
const formerItems = <T extends object>(change: Change<T>): Item[] | undefined => {
  const items = itemsOf(change.object);
  const former = (change.previous_attributes ?? {}) as Subscription;
  if (former.items?.data) return former.items.data.map((item, index) => formerItem(item, items, index));
  const [only, ...others] = items;
  if (!only || others.length > 0 || (!former.plan && former.quantity === undefined)) return undefined;
  const plan = former.plan ? over(only.plan ?? (before(change) as Subscription).plan, former.plan) : only.plan;
  return [
    {
      ...only,
      ...(plan ? { plan } : {}),
      price: former.plan ? null : (only.price ?? null),
      quantity: former.quantity ?? only.quantity ?? 1,
    },
  ];
};

const amountOf = (amount: number | null | undefined, decimal: string | null | undefined) => {
  const value = amount ?? (decimal ? Number(decimal) : Number.NaN);
  return Number.isFinite(value) ? value : undefined;
};

const packages = (quantity: number, transform: Transform | null | undefined) => {
  if (!transform?.divide_by) return quantity;
  return (transform.round === "up" ? Math.ceil : Math.floor)(quantity / transform.divide_by);
};

const recurring = ({ price, plan, quantity }: Item): Recurring => {
  const { interval = "", interval_count = 1, usage_type } = price?.recurring ?? plan ?? {};
  const amount = price
    ? amountOf(price.unit_amount, price.unit_amount_decimal)
    : amountOf(plan?.amount, plan?.amount_decimal);
  const metered = usage_type === "metered";
  const open = metered || (price ?? plan)?.billing_scheme === "tiered";
  return {
    price: (price ?? plan)?.id ?? "",
    product: idOf((price ?? plan)?.product),
    currency: (price ?? plan)?.currency ?? "",
    amount: open ? undefined : amount,
    ...(metered ? { metered } : {}),
    quantity: packages(quantity ?? 1, price ? price.transform_quantity : plan?.transform_usage),
    interval,
    count: interval_count,
  };
};

/** Matches ids that Stripe made. A team's plan ids ("gold") are readable. */
const OPAQUE = /^(price|plan|prod|sku)_\w{14,}$|^[0-9a-f-]{20,}$/;

const readable = (id: string | undefined) => (id && !OPAQUE.test(id) ? id : undefined);

const productOf = ({ price, plan }: Item) => price?.product ?? plan?.product;

const idsOf = (item: Item): string[] =>
  [item.price?.id, item.plan?.id, idOf(productOf(item))].filter((id) => id !== undefined);

const nameOf = (item: Item, names: PlanNames): string | undefined => {
  const { price, plan } = item;
  const product = productOf(item);
  const ofProduct = typeof product === "object" ? product?.name : undefined;
  return clip(nameIn(names, idsOf(item)) || price?.nickname || plan?.nickname || ofProduct || plan?.name || undefined);
};

/** Returns recurring charges per item. */
export const recurringOf = (subscription: object): Recurring[] => itemsOf(subscription).map(recurring);

/** Returns the charges before an update; undefined if items did not change. */
export const formerRecurring = <T extends object>(change: Change<T>): Recurring[] | undefined =>
  formerItems(change)?.map(recurring);

type NamedPlan = {
  id?: string | undefined;
  name?: string | undefined;
  /** A readable lookup key or id, not made by Stripe. */
  code?: string | undefined;
  product?: string | undefined;
};

/** Returns a plan's display name, product name or code. Never a Stripe id. */
export const planName = ({ name, code, product }: NamedPlan): string | NameOf | undefined =>
  name ?? (product === undefined ? code : { nameOf: product, otherwise: code });

/** Like `planName`, else the plan's id, for segments. */
export const planNameOrId = ({ id, name, code, product }: NamedPlan): string | NameOf | undefined =>
  name ?? (product === undefined ? (code ?? id) : { nameOf: product, otherwise: code ?? id });

/** Product of the plan before the change, as it is stored. */
type Stored = { storedPlan?: string };

type ChosenPlan = NamedPlan & {
  currency?: string | undefined;
  /** In words: "3 months". */
  interval?: string | undefined;
  /** Unix seconds. */
  periodEnd?: number | undefined;
};

const planItemOf = (item: Item, names: PlanNames): PlanItem & { item: Item } => {
  const charge = recurring(item);
  return {
    ids: idsOf(item),
    product: charge.product,
    name: nameOf(item, names),
    extra: charge.metered === true,
    addOn: saysAddOn(nameOf(item, {}), item.price?.lookup_key, readable(item.price?.id ?? item.plan?.id)),
    monthly: perMonth([{ ...charge, quantity: 1 }]),
    quantity: charge.quantity,
    addedAt: item.created,
    item,
  };
};

/** The plan of a subscription and the one before an update, with the names and the choice of a rule file. */
export const planReader = (names: PlanNames, choose: PlanChoice) => {
  const planIn = (items: readonly Item[], former?: string): ChosenPlan => {
    const chosen = choose(
      items.map((item) => planItemOf(item, names)),
      former,
    );
    if (!chosen) return {};
    const { item, name, product } = chosen;
    const id = item.price?.id ?? item.plan?.id;
    const charge = recurring(item);
    return {
      id,
      name,
      code: clip(item.price?.lookup_key || readable(id)),
      product,
      currency: charge.currency || undefined,
      interval: intervalOf([charge]) || undefined,
      periodEnd: item.current_period_end,
    };
  };

  /** Empty if items did not change. */
  const formerPlanOf = <T extends object>(change: Change<T> & Stored): ChosenPlan =>
    planIn(formerItems(change) ?? [], change.storedPlan);

  const planOf = <T extends object>(change: Change<T> & Stored): ChosenPlan => {
    const items = itemsOf(change.object);
    const plan = planIn(items, items.length > 1 ? productOfPlan(change, items) : undefined);
    return { ...plan, periodEnd: plan.periodEnd ?? (change.object as Subscription).current_period_end };
  };

  const productOfPlan = <T extends object>(change: Change<T> & Stored, items: readonly Item[]): string | undefined => {
    const { now, before } = rivalsIn(items, formerItems(change));
    const former = before ? planAfter(change.storedPlan, [], before) : change.storedPlan;
    return planAfter(former, before ?? [], now);
  };

  const rivalsIn = (items: readonly Item[], former: readonly Item[] | undefined): Rivals => {
    const rivals = (given: readonly Item[]) =>
      rivalsOf(
        given.map((item) => planItemOf(item, names)),
        choose,
      );
    const [now, before = []] = [rivals(items), former && rivals(former)];
    return before.length === 0 || before.join() === now.join() ? { now } : { now, before };
  };

  const choicesOf = <E extends { data: Change<object> }>({ event, id }: { event: E; id: string }): PlanChoices<E> => ({
    id,
    rivals: rivalsIn(itemsOf(event.data.object), formerItems(event.data)),
    as: (storedPlan) => ({ ...event, data: { ...event.data, storedPlan } }),
  });

  return { planOf, formerPlanOf, choicesOf };
};

/** True if the items changed and the plan is of another product. */
export const isOtherPlan = (was: NamedPlan, is: NamedPlan): boolean => {
  const key = ({ product, id }: NamedPlan) => (was.product && is.product ? product : id);
  return key(was) !== undefined && key(is) !== undefined && key(was) !== key(is);
};

/** Returns the ends of the items' periods in Unix seconds, the latest first. */
export const periodEndsOf = (subscription: object): number[] => {
  const { current_period_end: own } = subscription as Subscription;
  const ends = itemsOf(subscription).map(({ current_period_end: end }) => end ?? own);
  return (ends.length > 0 ? ends : [own]).filter((end) => typeof end === "number").toSorted((a, b) => b - a);
};
