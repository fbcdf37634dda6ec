import type { PaddleItem, PaddleSubscription } from "../../handlers/paddle.ts";
import { type Bill, billOf } from "../../rules/billing/bill.ts";
import { perMonth, type Recurring } from "../../rules/billing/monthly.ts";
import { nameIn, type PlanItem, rivalsOf, saysAddOn } from "../../rules/billing/plan-item.ts";
import type { PlanChoices } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { PLANS, planItem } from "./plans.ts";

type Event = { data: PaddleSubscription };

/** Prices in minor units; undefined in webhooks from before 2024. */
const recurringOf = ({ price, quantity = 1 }: PaddleItem): Recurring | undefined => {
  const { unit_price: unit, billing_cycle: cycle } = price ?? {};
  if (!unit || !cycle) return undefined;
  const amount = Number.isFinite(Number(unit.amount)) ? Number(unit.amount) : undefined;
  const currency = unit.currency_code;
  return { price: "", currency, amount, quantity, interval: cycle.interval, count: cycle.frequency };
};

const monthlyOf = (item: PaddleItem): number | undefined => {
  const one = recurringOf({ ...item, quantity: 1 });
  return one && perMonth([one]);
};

const isExtra = ({ recurring, status }: PaddleItem) => recurring === false || status === "inactive";

const planItemOf = (item: PaddleItem): PlanItem & { item: PaddleItem } => {
  const { price, product, quantity = 1, created_at } = item;
  const productId = product?.id ?? price?.product_id;
  const ids = [price?.id, productId].filter((id) => id !== undefined);
  return {
    ids,
    product: productId,
    // Webhooks from before 2024 have ids alone.
    name: clip(nameIn(PLANS, ids) || product?.name || price?.name || undefined),
    extra: isExtra(item),
    addOn: saysAddOn(product?.name, price?.name, price?.description),
    monthly: monthlyOf(item),
    quantity,
    addedAt: created_at === undefined ? undefined : Date.parse(created_at) / 1000,
    item,
  };
};

/** `storedPlan`: product of the plan before, as it is stored. */
type Stored = PaddleSubscription & { storedPlan?: string };

/** `items` is read last: a rule that fails names the field that it has read last. */
const planOf = ({ storedPlan, items }: Stored) => planItem(items.map(planItemOf), storedPlan);

/** The choices of the plan by the stored one. */
export const choicesOf = (e: Event): PlanChoices<Event> => ({
  id: e.data.id,
  rivals: { now: rivalsOf(e.data.items.map(planItemOf), planItem) },
  as: (storedPlan) => ({ ...e, data: { ...e.data, storedPlan } }),
});

/** Plan name, else price id; for segments. */
export const plan = (subscription: PaddleSubscription) => {
  const chosen = planOf(subscription);
  return chosen?.name ?? chosen?.item.price?.id;
};

/** ISO 8601; null without a trial. */
export const trialEnd = (subscription: PaddleSubscription) => planOf(subscription)?.item.trial_dates?.ends_at ?? null;

/** `planName` is absent if only an id is known: no mail should show an id. */
export const named = {
  plan: ({ data }: Event) => plan(data),
  planName: ({ data }: Event) => planOf(data)?.name,
};

/** The plan's own charge, without add-ons. The Outbox stores it, because webhooks have no former items. */
export const bill = ({ data }: Event): Bill => {
  const chosen = planOf(data);
  const charge = chosen && recurringOf(chosen.item);
  const others = data.items.filter((item) => !isExtra(item) && item !== chosen?.item).map(recurringOf);
  const known = others.flatMap((one) => one ?? []);
  const isWhole = charge !== undefined && known.length === others.length;
  return billOf(chosen?.product, charge ? [charge] : [], isWhole ? [charge, ...known] : []);
};
