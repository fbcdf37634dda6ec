import { digest } from "../lib/util/hmac.ts";
import type { PlannedWebhook } from "../outbox/model/types.ts";
import { plan } from "../rules/evaluate.ts";
import { handlerOf, type Source } from "../sources.ts";
import type { Envelope } from "../webhook.ts";

/**
 * A verified webhook with everything its rules want done, as the Outbox takes it. A rule that throws is an outcome,
 * never a refusal.
 * @param raw the body of the request, kept as it came where it is the JSON of one webhook
 * @param count how many webhooks the request holds
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
  const planned = source.rules
    ? plan(source.rules, { ...envelope, source: name })
    : { calls: [], outcomes: [], links: [] };
  const skip = skipOf(source, envelope.test ?? false);
  // A digest may come again after 24 h as a new event, whose calls must not carry the keys of the old one.
  const event = envelope.digest ? `${envelope.id}@${now}` : envelope.id;
  const calls = planned.calls.map(async (call) => ({ ...call, key: await keyOf(name, event, call.rule, call.action) }));
  return {
    source: name,
    eventId: envelope.id,
    digest: envelope.digest ?? false,
    type: envelope.type,
    occurredAt: envelope.occurredAt,
    rank: rank?.(envelope.type) ?? 0,
    test: envelope.test ?? false,
    raw: count === 1 && !items && format === "json" ? raw : JSON.stringify(envelope.body),
    calls: await Promise.all(calls),
    outcomes: planned.outcomes,
    // Who is who in test data is nobody.
    links: envelope.test && skip !== undefined ? [] : planned.links,
    secretPaths: [...(secretPaths ?? []), ...(source.redact ?? [])],
    ...(skip === undefined ? {} : { skip }),
  };
};

/** Why no call of a webhook is to leave, or undefined. */
export const skipOf = (source: Source, test: boolean): string | undefined => {
  if (source.shadow) return "The source is in shadow mode: this is what would have been sent.";
  if (test && source.testData !== "deliver") return 'Test data: the source does not say testData: "deliver".';
  return undefined;
};

/** The Idempotency-Key of a call: the same however often the provider or we send it. 64 characters. */
export const keyOf = (source: string, eventId: string, rule: string, action: string): Promise<string> =>
  digest(JSON.stringify([source, eventId, rule, action]));
