import { expect } from "vitest";
import stripe from "../../../../src/mappings/stripe.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { accepted } from "../setup.ts";

/** Plans a webhook with the rules of a provider. `occurredAt`: Unix ms. */
export const planned = (
  ruleSet: RuleSet,
  { id, type, occurredAt, body }: { id: string; type: string; occurredAt: number; body: unknown },
): PlannedWebhook => {
  const source = ruleSet.handler.provider;
  const { deliveries, outcomes, links } = plan(ruleSet, { source, id, type, occurredAt, body });
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const keyed = deliveries.map((delivery) => ({ ...delivery, key: `${id} ${delivery.rule} ${delivery.action}` }));
  const rank = ruleSet.handler.rank?.(type) ?? 0;
  return accepted({ source, eventId: id, type, occurredAt, rank, deliveries: keyed, outcomes, links });
};

/** Plans a webhook of Stripe about `object`. */
export const stripeWebhook = (
  type: string,
  object: Record<string, unknown>,
  occurredAt: number,
  previous_attributes?: Record<string, unknown>,
): PlannedWebhook => {
  const id = `evt_${type}_${occurredAt}_${String(object.id)}`;
  const data = { object, ...(previous_attributes ? { previous_attributes } : {}) };
  const body = { id, object: "event", type, created: Math.floor(occurredAt / 1000), livemode: true, data };
  return planned(stripe, { id, type, occurredAt, body });
};
