import { idOf, type Reference } from "../people/customer.ts";
import type { NameOf } from "../types.ts";
import { before, type Change } from "../values/changed.ts";
import { clip } from "../values/clip.ts";
import type { Recurring } from "./monthly.ts";

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
type Item = { id?: string; price?: Price | null; plan?: Plan | null; quantity?: number };
type Subscription = { items?: { data?: Item[] }; plan?: Plan | null; quantity?: number };

/** Before API version 2015-02-18 a subscription has one plan and no items. */
const itemsOf = (subscription: object): Item[] => {
  const { items, plan, quantity = 1 } = subscription as Subscription;
  return items?.data ?? (plan ? [{ plan, quantity }] : []);
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

const recurring = ({ price, plan, quantity = 1 }: Item): Recurring => {
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
    quantity: packages(quantity, price ? price.transform_quantity : plan?.transform_usage),
    interval,
    count: interval_count,
  };
};

/** Matches ids that Stripe made. A team's plan ids ("gold") are readable. */
const OPAQUE = /^(price|plan|prod|sku)_\w{14,}$|^[0-9a-f-]{20,}$/;

const readable = (id: string | undefined) => (id && !OPAQUE.test(id) ? id : undefined);

/** Display names of plans, by id of price, plan or product. */
export type PlanNames = Readonly<Record<string, string>>;

const productOf = ({ price, plan }: Item) => price?.product ?? plan?.product;

const nameOf = (item: Item, names: PlanNames): string | undefined => {
  const { price, plan } = item;
  const product = productOf(item);
  const ids = [price?.id, plan?.id, idOf(product)];
  const own = ids.flatMap((id) => (id && Object.hasOwn(names, id) ? [names[id]] : []))[0];
  const ofProduct = typeof product === "object" ? product?.name : undefined;
  return clip(own || price?.nickname || plan?.nickname || ofProduct || plan?.name || undefined);
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

const planIn = (items: readonly Item[] | undefined, names: PlanNames): NamedPlan => {
  const [first] = items ?? [];
  if (!first) return {};
  const id = first.price?.id ?? first.plan?.id;
  const code = clip(first.price?.lookup_key || readable(id));
  return { id, name: nameOf(first, names), code, product: idOf(productOf(first)) };
};

/** Returns a plan's display name, product name or code. Never a Stripe id. */
export const planName = ({ name, code, product }: NamedPlan): string | NameOf | undefined =>
  name ?? (product === undefined ? code : { nameOf: product, otherwise: code });

/** Like `planName`, else the plan's id, for segments. */
export const planNameOrId = ({ id, name, code, product }: NamedPlan): string | NameOf | undefined =>
  name ?? (product === undefined ? (code ?? id) : { nameOf: product, otherwise: code ?? id });

/** Returns the plan of the first price. */
export const planOf = (subscription: object, names: PlanNames): NamedPlan => planIn(itemsOf(subscription), names);

/** Returns the plan before an update; empty if items did not change. */
export const formerPlanOf = <T extends object>(change: Change<T>, names: PlanNames): NamedPlan =>
  planIn(formerItems(change), names);
