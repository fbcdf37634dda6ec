import { digest } from "../lib/util/hmac.ts";
import { reasons } from "../outbox/model/reasons.ts";
import type { PlannedWebhook } from "../outbox/model/types.ts";
import { plan } from "../rules/evaluate.ts";
import type { Plan } from "../rules/types.ts";
import { handlerOf, type Source } from "../sources.ts";
import type { Envelope } from "../webhook.ts";

/**
 * Runs the rules of a source on a verified webhook and returns it with the planned calls, ready for the Outbox. A rule
 * that throws gets an outcome; the webhook is accepted all the same.
 * @param raw the body of the request, stored unchanged where it is the JSON of exactly one webhook
 * @param count number of webhooks in the request
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
    ...(await planCalls(name, source, envelope, now)),
  };
};

/** What the rules want for a webhook. Each call has its Idempotency-Key; `skip` says why no call may be sent. */
type PlannedCalls = Pick<PlannedWebhook, "calls" | "outcomes" | "links" | "names" | "skip">;

/**
 * Runs the rules of a source on a webhook, at the door and in a replay alike.
 * @param unique tells webhooks with the same digest apart: the same digest may come again after 24 h as a new webhook,
 *   and its calls need new keys
 */
export const planCalls = async (
  name: string,
  source: Source,
  envelope: Envelope,
  unique: number,
): Promise<PlannedCalls> => {
  const planned: Plan = source.rules
    ? plan(source.rules, { ...envelope, source: name })
    : { calls: [], outcomes: [], links: [] };
  const skip = skipOf(source, envelope.test ?? false);
  const isIgnored = envelope.test === true && skip !== undefined;
  const event = envelope.digest ? `${envelope.id}@${unique}` : envelope.id;
  const calls = planned.calls.map(async (call) => ({ ...call, key: await keyOf(name, event, call.rule, call.action) }));
  return {
    calls: await Promise.all(calls),
    outcomes: planned.outcomes,
    // Test data never links identities and names nothing, unless its calls are sent.
    links: isIgnored ? [] : planned.links,
    ...(planned.names && !isIgnored ? { names: planned.names } : {}),
    ...(skip === undefined ? {} : { skip }),
  };
};

/** Why no call of a webhook may be sent, or undefined. */
const skipOf = (source: Source, test: boolean): string | undefined => {
  if (source.shadow) return reasons.shadow;
  if (test && source.testData !== "deliver") return reasons.testData;
  return undefined;
};

/** The Idempotency-Key of a call: the same each time the webhook arrives or the call is attempted. 64 characters. */
const keyOf = (source: string, event: string, rule: string, action: string): Promise<string> =>
  digest(JSON.stringify([source, event, rule, action]));
