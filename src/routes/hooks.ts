import { Hono } from "hono";
import { type Env, outboxOf, secretOf } from "../env.ts";
import { readText } from "../lib/contract/body.ts";
import { digest } from "../lib/hmac.ts";
import { log } from "../lib/log.ts";
import { callObject } from "../lib/retry-object.ts";
import type { Accepted } from "../outbox/types.ts";
import { plan } from "../rules/evaluate.ts";
import { type Source, sources } from "../sources.ts";
import type { Envelope } from "../webhook.ts";
import { refuse } from "./refuse.ts";

/** Largest webhook in bytes. */
const MAX_WEBHOOK = 1_000_000;

/**
 * The door: verify, read, plan, and one call to the Outbox, which answers once webhook and calls are committed together.
 * A refusal leaves the journal as it was.
 */
export const hooks = new Hono<{ Bindings: Env }>()
  .post("/:source", async (c) => {
    const name = c.req.param("source");
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source) {
      return refuse(
        "unknown_source",
        `There is no source "${name.slice(0, 50)}". Known: ${Object.keys(sources).join(", ")}.`,
      );
    }
    const raw = await readText(c.req.raw, MAX_WEBHOOK);
    if (raw === undefined) return refuse("body_too_large", `The body is larger than ${MAX_WEBHOOK} bytes.`);

    const now = Date.now();
    const request = { headers: c.req.raw.headers, raw };
    const { handler } = source.rules;
    const secrets = secretOf(c.env, source.secret)
      .split(/[\s|]+/)
      .filter(Boolean);
    const refusal = await handler.verify(request, secrets, now);
    if (refusal) {
      log("webhook_refused", { source: name, code: refusal.code });
      if (refusal.code === "source_not_configured") {
        return refuse(refusal.code, `The source "${name}" has no secret: set ${source.secret}.`);
      }
      return refuse(refusal.code, refusal.message);
    }

    const json = parse(raw);
    if (json === undefined) return refuse("invalid_json", "The signature is good, but the body is not valid JSON.");
    let envelope: Envelope;
    try {
      envelope = await handler.read(request, json, now);
    } catch (error) {
      return refuse("unexpected_body", (error as Error).message);
    }

    try {
      const accepted = await toAccepted(name, source, raw, envelope, now);
      const receipt = await callObject(() => outboxOf(c.env).accept(accepted));
      return c.json(receipt, handler.acceptedStatus ?? 202);
    } catch (error) {
      log("journal_unavailable", { source: name, error: (error as Error).message });
      return refuse("journal_unavailable", "The webhook could not be journalled. Send it again.", {
        "Retry-After": "5",
      });
    }
  })
  .all("/:source", (c) =>
    refuse("method_not_allowed", `${c.req.method} is not allowed here; use POST.`, { Allow: "POST" }),
  );

const parse = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
};

/** A verified webhook with everything its rules want done. A rule that throws is an outcome, never a refusal. */
const toAccepted = async (
  name: string,
  source: Source,
  raw: string,
  envelope: Envelope,
  now: number,
): Promise<Accepted> => {
  const { handler } = source.rules;
  const planned = plan(source.rules, { ...envelope, source: name });
  // A digest may come again after 24 h as a new event, whose calls must not carry the keys of the old one.
  const event = envelope.digest ? `${envelope.id}@${now}` : envelope.id;
  const calls = planned.calls.map(async (call) => ({ ...call, key: await keyOf(name, event, call.rule, call.action) }));
  return {
    source: name,
    eventId: envelope.id,
    digest: envelope.digest ?? false,
    type: envelope.type,
    occurredAt: envelope.occurredAt,
    rank: handler.rank?.(envelope.type) ?? 0,
    test: envelope.test ?? false,
    raw,
    calls: await Promise.all(calls),
    outcomes: planned.outcomes,
    links: planned.links,
    secretPaths: handler.secretPaths ?? [],
  };
};

/** The Idempotency-Key of a call: the same however often the provider or we send it. 64 characters. */
const keyOf = (source: string, eventId: string, rule: string, action: string): Promise<string> =>
  digest(JSON.stringify([source, eventId, rule, action]));
