import type { PolarCustomerState, PolarEvent, PolarSubscription } from "../../handlers/polar.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

export const plan = ({ data }: { data: PolarSubscription }) => clip(data.product.name);

export const named = { plan, planName: plan };

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const byRank = ({ active_subscriptions: all = [] }: PolarCustomerState) =>
  all.toSorted(
    (a, b) =>
      Number(b.status === "active") - Number(a.status === "active") ||
      compare(b.created_at ?? "", a.created_at ?? "") ||
      compare(b.id, a.id),
  );

/** Returns the subscription that the contact shows of several: an active one, the later start, the larger id. */
export const best = (state: PolarCustomerState) => byRank(state)[0];

export const second = (state: PolarCustomerState) => byRank(state)[1];

type Best = ReturnType<typeof best>;

/** The name is learned from other webhooks: a customer's state has only the product id. */
export const planName = (subscription: Best): NameOf | undefined => subscription && { nameOf: subscription.product_id };

/** Like `planName`, else the product id, for segments. */
export const planNameOrId = (subscription: Best): NameOf | undefined =>
  subscription && { nameOf: subscription.product_id, otherwise: subscription.product_id };

const HOUR = 3_600_000;

/** True for a subscription that has just started: a customer's state does not tell what has changed. */
export const isNew = (subscription: Best, timestamp: string): boolean => {
  const { started_at: startedAt, created_at: createdAt } = subscription ?? {};
  return Date.parse(timestamp) - Date.parse(startedAt ?? createdAt ?? "") < HOUR;
};

export const names = (e: PolarEvent): readonly ObjectName[] => {
  const product = e.type.startsWith("subscription.") && "product" in e.data ? e.data.product : undefined;
  const { id, name } = e.type === "product.created" || e.type === "product.updated" ? e.data : (product ?? {});
  const shown = clip(name || undefined);
  return id && shown ? [{ id, name: shown }] : [];
};
