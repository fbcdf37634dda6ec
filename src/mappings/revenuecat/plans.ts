import type { RevenueCatEvent, RevenueCatPurchase } from "../../handlers/revenuecat.ts";
import type { NameOf, ObjectName } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";

/**
 * Names of plans for people, by the product id of the store. Almost every webhook has ids only. An id of Google Play with
 * its base plan ("pro:monthly") may have a name of its own, or share that of "pro".
 *
 *     pro_monthly: "Pro, monthly",
 *     "pro:yearly": "Pro, yearly",
 */
const PLANS: Readonly<Record<string, string>> = {};

/** The name in the table, else the learned one: of all webhooks only VIRTUAL_CURRENCY_TRANSACTION has names. */
const nameOf = (id: string | null | undefined): string | NameOf | undefined => {
  if (!id) return undefined;
  const own = [id, id.split(":")[0] ?? ""].find((key) => Object.hasOwn(PLANS, key));
  return own === undefined ? { nameOf: id } : PLANS[own];
};

type Event = { event: RevenueCatPurchase };

export const product = ({ event }: Event) => clip(event.product_id);

/** The plan in an event. `planName` is absent where only an id is known: no mail should show an id. */
export const named = { plan: product, planName: ({ event }: Event) => nameOf(event.product_id) };

/** `new_product_id`: the product from now on, or from the next renewal. */
export const changeOfPlan = {
  previousPlan: product,
  previousPlanName: named.planName,
  plan: ({ event }: Event) => clip(event.new_product_id),
  planName: ({ event }: Event) => nameOf(event.new_product_id),
};

/** The names of products. */
export const names = ({ event }: RevenueCatEvent): readonly ObjectName[] => {
  const { product_id: id, product_display_name: name } = event as RevenueCatPurchase;
  const shown = clip(name || undefined);
  return id && shown ? [{ id, name: shown }] : [];
};
