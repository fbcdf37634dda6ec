import type { RevenueCatEvent, RevenueCatPurchase } from "../../handlers/revenuecat.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

/**
 * Plan names by the store's product id. Google Play ids with a base plan ("pro:monthly") may share the name of "pro".
 *
 * pro_monthly: "Pro, monthly",
 */
const PLANS: Readonly<Record<string, string>> = {};

const nameOf = (id: string | null | undefined): string | NameOf | undefined => {
  if (!id) return undefined;
  const own = [id, id.split(":")[0] ?? ""].find((key) => Object.hasOwn(PLANS, key));
  return own === undefined ? { nameOf: id } : PLANS[own];
};

type Event = { event: RevenueCatPurchase };

export const product = ({ event }: Event) => clip(event.product_id);

/** `planName` is absent if only an id is known: no mail should show an id. */
export const named = { plan: product, planName: ({ event }: Event) => nameOf(event.product_id) };

export const changeOfPlan = {
  previousPlan: product,
  previousPlanName: named.planName,
  plan: ({ event }: Event) => clip(event.new_product_id),
  planName: ({ event }: Event) => nameOf(event.new_product_id),
};

export const names = ({ event }: RevenueCatEvent): readonly ObjectName[] => {
  const { product_id: id, product_display_name: name } = event as RevenueCatPurchase;
  const shown = clip(name || undefined);
  return id && shown ? [{ id, name: shown }] : [];
};
