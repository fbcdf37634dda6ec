import type { PolarCustomerState, PolarEvent, PolarSubscription } from "../../handlers/polar.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

export const plan = ({ data }: { data: PolarSubscription }) => clip(data.product.name);

export const named = { plan, planName: plan };

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the subscription that the contact shows of several: an active one, the later start, the larger id. */
export const best = ({ active_subscriptions: all = [] }: PolarCustomerState) =>
  all.toSorted(
    (a, b) =>
      Number(b.status === "active") - Number(a.status === "active") ||
      compare(b.created_at ?? "", a.created_at ?? "") ||
      compare(b.id, a.id),
  )[0];

/** Learned from other webhooks: a customer's state has only the product id. */
export const planOf = (subscription: ReturnType<typeof best>): NameOf | undefined =>
  subscription && { nameOf: subscription.product_id };

export const names = (e: PolarEvent): readonly ObjectName[] => {
  const product = e.type === "subscription.created" ? e.data.product : undefined;
  const { id, name } = e.type === "product.created" || e.type === "product.updated" ? e.data : (product ?? {});
  const shown = clip(name || undefined);
  return id && shown ? [{ id, name: shown }] : [];
};
