import type { PlannedDelivery } from "../../rules/types.ts";
import { isResolved, personOfContact } from "../identity/resolve-person.ts";
import { storedPlan } from "../identity/stored-plan.ts";
import { judge, withStored } from "../identity/stored-state.ts";
import { current, readKnown, running, type Subscriptions } from "../identity/subscriptions.ts";
import type { Watermark } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { saveDeliveries } from "../journal/write.ts";
import { isOpen } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import type { FinalState } from "./service-request.ts";

/** An attempt with an answer keeps the decision before it. */
const isUndecided = ({ attempts, had }: Delivery): boolean =>
  had === undefined && attempts.every(({ ms }) => ms === undefined);

/** Makes the delivery that of the plan that was stored before the webhook. */
const choosePlan = (all: Subscriptions, watermark: Watermark, delivery: Delivery): FinalState | undefined => {
  const { byPlan } = delivery;
  if (!byPlan) return undefined;
  const plan = storedPlan(all[byPlan.id]?.values ?? {}, byPlan.rivals, watermark);
  const chosen = plan === undefined ? undefined : byPlan.plans[plan];
  delete delivery.byPlan;
  if (chosen === null) return { state: "skipped", message: `${reasons.byState} ${byPlan.id}: the plan is the same.` };
  if (!chosen) return undefined;
  const { contact: _contact, subscription: _subscription, ...content } = chosen;
  Object.assign(delivery, content);
  return undefined;
};

/** Gives an update the values of the plan that was stored before the webhook, as the email service gets them. */
export const showPlan = (all: Subscriptions, watermark: Watermark, delivery: Delivery): void => {
  const { byPlan, subscription, rule, contact } = delivery;
  if (!byPlan || !subscription || delivery.action !== "contact") return;
  const plan = storedPlan(all[byPlan.id]?.values ?? {}, byPlan.rivals, watermark);
  const chosen = plan === undefined ? undefined : byPlan.plans[plan];
  if (chosen?.action !== "contact") return;
  const { action, properties, names } = delivery;
  const own: PlannedDelivery = { rule, contact, action, properties, subscription, ...(names ? { names } : {}) };
  const known = Object.fromEntries((byPlan.rivals.before ?? byPlan.rivals.now).map((product) => [product, own]));
  const isOf = ([name]: [string, unknown]) => subscription.properties.includes(name) && name in properties;
  const chosenOf = <V>(of: Readonly<Record<string, V>>) => Object.entries(of).filter(isOf);
  const others = Object.entries(names ?? {}).filter((one) => !isOf(one));
  Object.assign(delivery, {
    properties: { ...properties, ...Object.fromEntries(chosenOf(chosen.properties)) },
    ...(names ? { names: Object.fromEntries([...others, ...chosenOf(chosen.names ?? {})]) } : {}),
    byPlan: { ...byPlan, plans: { ...known, ...byPlan.plans } },
  });
};

const decideOne = (
  all: Subscriptions,
  { occurredAt, rank, deliveries }: WebhookDeliveries,
  delivery: Delivery,
): FinalState | undefined => {
  const notMade = choosePlan(all, [occurredAt, rank], delivery);
  if (notMade) return notMade;
  const { ifStored, stored = {} } = delivery;
  if (!ifStored) return undefined;
  const isOwn = deliveries.some(({ subscription }) => subscription?.id === ifStored.id);
  const { against, values } = judge(all, ifStored, isOwn ? [occurredAt, rank] : undefined);
  Object.assign(delivery, withStored(delivery, values));
  if (against !== undefined) return { state: "skipped", message: `${reasons.byState} ${ifStored.id}: ${against}.` };
  delivery.had = Object.fromEntries(Object.values(stored).map((name) => [name, values[name] ?? null]));
  return undefined;
};

/**
 * Decides the deliveries about a state, in the transaction that advances it. The caller saves the webhook.
 *
 * @param all the person's subscriptions without this webhook's
 * @returns indexes of settled deliveries
 */
export const decideBeside = (
  all: Subscriptions,
  webhook: WebhookDeliveries,
  { subscription }: Delivery,
  now: number,
): number[] =>
  webhook.deliveries.flatMap((delivery, index) => {
    if (!isOpen(delivery) || !isUndecided(delivery) || delivery.action === "contact") return [];
    const { ifStored = delivery.byPlan } = delivery;
    if (!ifStored || ifStored.id !== subscription?.id) return [];
    const final = decideOne(all, webhook, delivery);
    if (!final) return [];
    Object.assign(delivery, final, { settledAt: now });
    return [index];
  });

/** Returns the final state of a delivery, if the person's stored state is against it. */
export const contradictedBy = (
  sql: SqlStorage,
  webhook: WebhookDeliveries,
  delivery: Delivery,
): FinalState | undefined => {
  const { ifStored, onlyWithoutOther: own, stored, byPlan } = delivery;
  if (delivery.action === "contact" || !(ifStored || byPlan || own !== undefined)) return undefined;
  if (delivery.attempts.some(({ ms }) => ms !== undefined)) return undefined;
  const person = isResolved(sql, delivery.contact) ? personOfContact(sql, delivery.contact) : undefined;
  if (person === undefined) return undefined;
  const { subscriptions, watermarks } = readKnown(sql, person);
  const all = current(subscriptions, watermarks);
  if ((ifStored || byPlan) && isUndecided(delivery)) {
    const final = decideOne(all, webhook, delivery);
    if (final) return final;
    // Rare: the state of the same webhook was not written, so its request did not save the decision.
    if (stored || byPlan) saveDeliveries(sql, webhook);
  }
  const other = own === undefined ? undefined : running(all).find((id) => id !== own);
  return other === undefined ? undefined : { state: "skipped", message: `${reasons.hasOther} ${other}.` };
};
