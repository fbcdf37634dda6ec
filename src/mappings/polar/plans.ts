import type { PolarCustomerState, PolarEvent, PolarSubscription } from "../../handlers/polar.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

export const plan = ({ data }: { data: PolarSubscription }) => clip(data.product.name);

/** The plan in an event, with the names of properties that all providers use. */
export const named = { plan, planName: plan };

/** The best subscription of a customer: a paid one before a trial, then the one that runs longest. */
export const best = ({ active_subscriptions: all = [] }: PolarCustomerState) =>
  all.toSorted(
    (a, b) =>
      Number(b.status === "active") - Number(a.status === "active") ||
      Date.parse(b.current_period_end ?? "") - Date.parse(a.current_period_end ?? ""),
  )[0];

/** The name of the product, learned from other webhooks: a customer's state has only its id. */
export const planOf = (subscription: ReturnType<typeof best>): NameOf | undefined =>
  subscription && { nameOf: subscription.product_id };

/** The names of products. */
export const names = (e: PolarEvent): readonly ObjectName[] => {
  const product = e.type === "subscription.created" ? e.data.product : undefined;
  const { id, name } = e.type === "product.created" || e.type === "product.updated" ? e.data : (product ?? {});
  const shown = clip(name || undefined);
  return id && shown ? [{ id, name: shown }] : [];
};
