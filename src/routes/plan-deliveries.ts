import { digest } from "../lib/util/hmac.ts";
import { remember } from "../lib/util/remember.ts";
import type { FetchedWebhook, PlannedWebhook } from "../outbox/model/journal-types.ts";
import { reasons } from "../outbox/model/reasons.ts";
import { isBackfilled } from "../outbox/operator/replay.ts";
import { LARGEST_AGE, plan } from "../rules/evaluate.ts";
import type { Plan, PlannedDelivery } from "../rules/types.ts";
import { duration } from "../rules/values/duration.ts";
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
    ...(envelope.repeatsFor === undefined ? {} : { repeatsFor: envelope.repeatsFor }),
    type: envelope.type,
    occurredAt: envelope.occurredAt,
    rank: rank?.(envelope.type) ?? 0,
    test: envelope.test ?? false,
    raw: count === 1 && !items && format === "json" ? raw : JSON.stringify(envelope.body),
    secretPaths: [...(secretPaths ?? []), ...(source.redact ?? [])],
    ...(await planDeliveries(name, source, envelope, now)),
  };
};

/** Runs the rules of a source on a fetched event; undefined if the source is gone. `now`: Unix ms. */
export const planFetched = async (
  all: Readonly<Record<string, Source>>,
  { source: name, eventId, test, type, occurredAt, raw }: FetchedWebhook,
  now: number,
): Promise<PlannedWebhook | undefined> => {
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source) return undefined;
  return toPlannedWebhook(name, source, raw, { id: eventId, type, occurredAt, test, body: JSON.parse(raw) }, 1, now);
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
  const test = envelope.test ?? false;
  // A source that only plans shows the deliveries of the fetched object.
  const fetches = planned.deliveries.some(({ action }) => action === "fetch");
  const skip = skipOf(fetches ? withoutPlanOnly(source) : source, test);
  const isIgnored = test && skip !== undefined;
  const event = envelope.digest ? `${envelope.id}@${unique}` : envelope.id;
  return {
    deliveries: await withKeys(name, event, planned.deliveries.map(aged(envelope))),
    outcomes: planned.outcomes,
    // Test data adds no links or names, unless it is delivered.
    links: isIgnored ? [] : planned.links,
    ...(planned.names && !isIgnored ? { names: planned.names } : {}),
    ...(skip === undefined ? {} : { skip }),
  };
};

/** Facts that stay true, such as a payment, have no largest age. */
const LASTING: ReadonlySet<string> = new Set([
  "subscriptionStarted",
  "subscriptionRenewed",
  "checkoutCompleted",
  "orderCompleted",
  "invoicePaid",
  "paymentSucceeded",
]);

/** Every other event has a largest age, except in a backfill, which asks for it. */
const aged =
  ({ id, occurredAt }: Envelope) =>
  (delivery: PlannedDelivery): PlannedDelivery =>
    delivery.action === "event" &&
    delivery.notAfter === undefined &&
    !LASTING.has(delivery.eventName) &&
    !isBackfilled(id)
      ? { ...delivery, notAfter: occurredAt + duration(LARGEST_AGE) }
      : delivery;

const withoutPlanOnly = ({ planOnly: _, ...source }: Source): Source => source as Source;

/** Returns why no delivery of a webhook is sent, if none is. */
export const skipOf = (source: Source, test: boolean): string | undefined => {
  if (source.planOnly) return reasons.planOnly;
  if (test && source.testData !== "deliver") return reasons.testData;
  return undefined;
};

/** Adds keys, equal for each arrival and attempt: of the event and of the rule, at most 100 characters. */
const withKeys = async (
  source: string,
  event: string,
  deliveries: readonly PlannedDelivery[],
): Promise<PlannedDeliveries["deliveries"]> => {
  if (deliveries.length === 0) return [];
  const named = `${source}.${event}.`;
  const half = SHORT.test(named) ? named : await halfOf(source, event);
  const keyed: PlannedDeliveries["deliveries"] = [];
  for (const delivery of deliveries)
    keyed.push(Object.assign(delivery, { key: half + (await halfOfRule(delivery.rule, delivery.action)) }));
  return keyed;
};

/** A source and an event that need no digest. " again" may follow a key. */
const SHORT = /^(?=.{1,60}$)[\w-]+\.[\w-]+\.$/;

const halfOf = async (...parts: readonly string[]): Promise<string> =>
  (await digest(JSON.stringify(parts))).slice(0, 32);

const halfOfRule = remember(halfOf);
