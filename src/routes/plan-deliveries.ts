import { digest } from "../lib/util/hmac.ts";
import type { PlannedWebhook } from "../outbox/model/journal-types.ts";
import { reasons } from "../outbox/model/reasons.ts";
import { plan } from "../rules/evaluate.ts";
import type { Plan } from "../rules/types.ts";
import { handlerOf, type Source } from "../sources.ts";
import type { Envelope } from "../webhook.ts";

/**
 * Runs a source's rules on a verified webhook.
 * @param raw stored unchanged if it is exactly one webhook
 * @param now Unix ms
 */
export const toPlannedWebhook = async (
  name: string,
  source: Source,
  raw: string,
  envelope: Envelope,
  count: number,
  now: number,
): Promise<PlannedWebhook> => {
  const { rank, secretPaths, items, format = "json" } = handlerOf(source);
  return {
    source: name,
    eventId: envelope.id,
    digest: envelope.digest ?? false,
    ...(envelope.bodyDigest === undefined ? {} : { bodyDigest: envelope.bodyDigest }),
    type: envelope.type,
    occurredAt: envelope.occurredAt,
    rank: rank?.(envelope.type) ?? 0,
    test: envelope.test ?? false,
    raw: count === 1 && !items && format === "json" ? raw : JSON.stringify(envelope.body),
    secretPaths: [...(secretPaths ?? []), ...(source.redact ?? [])],
    ...(await planDeliveries(name, source, envelope, now)),
  };
};

/** `skip`: the reason against all deliveries. */
type PlannedDeliveries = Pick<PlannedWebhook, "deliveries" | "outcomes" | "links" | "names" | "skip">;

/** @param unique separates equal digests, which may repeat after 24 h and need new keys */
export const planDeliveries = async (
  name: string,
  source: Source,
  envelope: Envelope,
  unique: number,
): Promise<PlannedDeliveries> => {
  const planned: Plan = source.rules
    ? plan(source.rules, { ...envelope, source: name })
    : { deliveries: [], outcomes: [], links: [] };
  const skip = skipOf(source, envelope.test ?? false);
  const isIgnored = envelope.test === true && skip !== undefined;
  const event = envelope.digest ? `${envelope.id}@${unique}` : envelope.id;
  const deliveries = planned.deliveries.map(async (delivery) => ({
    ...delivery,
    key: await keyOf(name, event, delivery.rule, delivery.action),
  }));
  return {
    deliveries: await Promise.all(deliveries),
    outcomes: planned.outcomes,
    // Test data adds no links or names, unless it is delivered.
    links: isIgnored ? [] : planned.links,
    ...(planned.names && !isIgnored ? { names: planned.names } : {}),
    ...(skip === undefined ? {} : { skip }),
  };
};

const skipOf = (source: Source, test: boolean): string | undefined => {
  if (source.planOnly) return reasons.planOnly;
  if (test && source.testData !== "deliver") return reasons.testData;
  return undefined;
};

/** The key is equal for each arrival and attempt. 64 characters. */
const keyOf = (source: string, event: string, rule: string, action: string): Promise<string> =>
  digest(JSON.stringify([source, event, rule, action]));
