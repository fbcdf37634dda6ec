import type { Webhook } from "../webhook.ts";
import type { PlanChoices, PlannedDelivery, RuleSet } from "./types.ts";

/** A subscription has at most 20 items at Stripe. Each rival is a run of the rules. */
const MAX_RIVALS = 20;

const choicesOf = ({ choices }: RuleSet, { body }: Webhook): PlanChoices<unknown> | undefined => {
  try {
    return choices?.(body);
  } catch {
    return undefined;
  }
};

/**
 * Returns the deliveries with what they are where the stored plan of the subscription is another one than the items tell.
 *
 * @param run runs the rules on the body of another event
 */
export const withChoices = (
  deliveries: PlannedDelivery[],
  ruleSet: RuleSet,
  webhook: Webhook,
  run: (body: unknown) => readonly PlannedDelivery[],
): PlannedDelivery[] => {
  const choices = choicesOf(ruleSet, webhook);
  if (!choices) return deliveries;
  const { rivals, as } = choices;
  const id = `${webhook.source}:${choices.id}`;
  const [first = "", ...others] = (rivals.before ?? rivals.now).slice(0, MAX_RIVALS);
  const runs = others.map((product) => [product, run(as(product))] as const);
  const all = [...deliveries];
  for (const delivery of runs.flatMap(([, planned]) => planned)) if (!all.some(isAs(delivery))) all.push(delivery);
  return all.map((delivery) => {
    const isMade = deliveries.includes(delivery);
    const plans = runs.flatMap(([product, planned]): [string, PlannedDelivery | null][] => {
      const other = planned.find(isAs(delivery)) ?? null;
      return JSON.stringify(other) === JSON.stringify(delivery) ? [] : [[product, other]];
    });
    if (!isMade) plans.push([first, null]);
    const { subscription } = delivery;
    const isOwn = delivery.action === "contact" && subscription?.id === id && rivals.now.length > 0;
    return {
      ...delivery,
      ...(isOwn ? { subscription: { ...subscription, rivals } } : {}),
      ...(plans.length > 0 ? { byPlan: { id, rivals, plans: Object.fromEntries(plans) } } : {}),
    };
  });
};

const isAs =
  ({ rule, action }: PlannedDelivery) =>
  (other: PlannedDelivery): boolean =>
    other.rule === rule && other.action === action;
