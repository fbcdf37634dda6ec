import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { MAX_RUN, runFields } from "../../lib/contract/admin/bridge/rules.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { erase, eraseCall, secretsAt } from "../../outbox/journal/secrets.ts";
import { seqOf, webhookIdOf } from "../../outbox/model/calls.ts";
import { configOf } from "../../outbox/model/config.ts";
import type { Call } from "../../outbox/model/types.ts";
import { whyRule } from "../../outbox/operator/sentences.ts";
import { describeRule } from "../../rules/describe.ts";
import type { PlannedCall } from "../../rules/types.ts";
import { handlerOf, type Source, sources } from "../../sources.ts";
import type { Envelope } from "../../webhook.ts";
import { refuse } from "../errors.ts";
import { noSource } from "../no-source.ts";
import { planCalls } from "../plan.ts";
import { body, query, webhookFields } from "./params.ts";
import { envelopeOf } from "./replay.ts";
import { triedCall } from "./tried.ts";
import { notFound } from "./webhooks.ts";

type Sources = Readonly<Record<string, Source>>;
/** One-time secrets are in no response. */
type Tried = {
  name: string;
  source: Source;
  id: string;
  envelope: Envelope;
  planned: PlannedCall[] | null;
  secrets: readonly string[];
};

/** Shows rules and runs them on a body or webhook. Writes nothing. */
const rulesOf = (all: Sources) =>
  new Hono<{ Bindings: Env }>()
    .get("/rules", (c) => {
      const given = query(c.req.raw, { source: webhookFields.source });
      if (given instanceof Response) return given;
      const { source: wanted } = given;
      if (wanted !== undefined && !Object.hasOwn(all, wanted))
        return refuse("invalid_parameter", `source: ${noSource(wanted, Object.keys(all))}`);
      const data = Object.entries(all).flatMap(([name, { rules }]) =>
        wanted === undefined || wanted === name ? (rules?.rules ?? []).map((rule) => describeRule(rule, name)) : [],
      );
      return c.json({ data });
    })
    .post("/rules/try", async (c) => {
      const given = await body(c.req.raw, runFields, MAX_RUN);
      if (given instanceof Response) return given;
      const tried = given.webhook === undefined ? await ofBody(all, given) : await ofWebhook(all, c.env, given);
      if (tried instanceof Response) return tried;
      const { name, source, id, envelope, planned, secrets } = tried;
      const plan = await planCalls(name, source, envelope, 0);
      const { calls, outcomes, links, skip } = secrets.length === 0 ? plan : withoutSecrets(plan, secrets);
      const config = configOf(c.env);
      return c.json({
        source: name,
        type: envelope.type,
        id,
        test: envelope.test ?? false,
        skip: skip ?? null,
        outcomes: outcomes.map((one) => ({ ...one, why: whyRule(one) })),
        links,
        calls: calls.map((call) => triedCall(call, config)),
        planned: planned?.map((call) => triedCall(call, config)) ?? null,
      });
    });

type Planned = Awaited<ReturnType<typeof planCalls>>;

const withoutSecrets = (plan: Planned, secrets: readonly string[]): Planned => {
  const clean = <T>(value: T): T => JSON.parse(erase(JSON.stringify(value), secrets)) as T;
  const calls = plan.calls.map((call) => eraseCall(call as Call, secrets));
  return { ...plan, calls, outcomes: clean(plan.outcomes), links: clean(plan.links) };
};

type Given = { source?: string; type?: string; body?: Record<string, unknown>; webhook?: string };

/** The signature is not checked: the webhook has no effect. */
const ofBody = async (all: Sources, { source: name, type, body: content }: Given): Promise<Tried | Response> => {
  if (name === undefined || content === undefined)
    return refuse("invalid_parameter", "Either webhook, or source and body, are required.");
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source) return refuse("invalid_parameter", `source: ${noSource(name, Object.keys(all))}`);
  const now = Date.now();
  if (type !== undefined) {
    const envelope = { id: "try", type, occurredAt: now, body: { ...content, type } };
    return { name, source, id: "try", envelope, planned: null, secrets: [] };
  }
  const raw = JSON.stringify(content);
  const request = { method: "POST", url: `https://bridge.invalid/hooks/${name}`, headers: new Headers(), raw };
  try {
    const envelope = await handlerOf(source).read(request, content, now);
    return { name, source, id: envelope.id, envelope, planned: null, secrets: [] };
  } catch (error) {
    const message = `body: ${handlerOf(source).about.title} would not send it like this: ${(error as Error).message}`;
    return refuse(
      "invalid_parameter",
      `${message} Send type with the name of the event to run its rules all the same.`,
    );
  }
};

const ofWebhook = async (all: Sources, env: Env, given: Given): Promise<Tried | Response> => {
  if (given.source !== undefined || given.body !== undefined || given.type !== undefined)
    return refuse("invalid_parameter", "webhook goes without source, type and body.");
  const seq = seqOf(given.webhook ?? "");
  const [page, shown] =
    seq === undefined
      ? [null, null]
      : await Promise.all([callObject(() => outboxOf(env).storedOne(seq)), callObject(() => outboxOf(env).show(seq))]);
  if (seq === undefined || !page || !shown) return notFound();
  const [stored] = page.webhooks;
  if (!stored)
    return refuse("invalid_parameter", `webhook: its body is gone (${page.gone[0]?.why}), so no rule can run.`);
  const source = Object.hasOwn(all, stored.source) ? all[stored.source] : undefined;
  if (!source) return refuse("invalid_parameter", `webhook: ${noSource(stored.source, Object.keys(all))}`);
  const { calls, secretPaths } = shown.webhook;
  // The stored body has secrets while a delivery is open.
  const paths = [...secretPaths, ...(handlerOf(source).secretPaths ?? []), ...(source.redact ?? [])];
  const secrets = secretsAt(stored.body, paths);
  return { name: stored.source, source, id: webhookIdOf(seq), envelope: envelopeOf(stored), planned: calls, secrets };
};

export const rules = rulesOf(sources);
