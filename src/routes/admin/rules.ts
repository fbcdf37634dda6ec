import { type Env, outboxOf } from "../../env.ts";
import type { BridgeContract } from "../../lib/contract/admin/bridge.ts";
import type { Refusal } from "../../lib/contract/errors.ts";
import type { Request } from "../../lib/contract/operation.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { erase, eraseDelivery, NO_SECRETS, type Secrets, secretsAt } from "../../outbox/journal/secrets.ts";
import { configOf } from "../../outbox/model/config.ts";
import { seqOf, webhookIdOf } from "../../outbox/model/delivery-state.ts";
import type { Delivery } from "../../outbox/model/journal-types.ts";
import { whyRule } from "../../outbox/operator/sentences.ts";
import { describeRule } from "../../rules/describe.ts";
import type { PlannedDelivery } from "../../rules/types.ts";
import { handlerOf, type Source } from "../../sources.ts";
import type { Envelope } from "../../webhook.ts";
import { noSource } from "../no-source.ts";
import { planDeliveries } from "../plan-deliveries.ts";
import { type BridgeHandlers, refuse, type Sources, webhookNotFound } from "./handler.ts";
import { envelopeOf } from "./replay.ts";
import { triedDelivery } from "./tried-rules.ts";

/** One-time secrets are in no response. */
type Tried = {
  name: string;
  source: Source;
  id: string;
  envelope: Envelope;
  planned: PlannedDelivery[] | null;
  secrets: Secrets;
};

/** Shows rules and runs them on a body or webhook. Writes nothing. */
export const rules: BridgeHandlers<"rules"> = {
  list: ({ sources: all }, { source: wanted }) => {
    if (wanted !== undefined && !Object.hasOwn(all, wanted)) return unknownSource(all, wanted);
    const data = Object.entries(all).flatMap(([name, { rules }]) =>
      wanted === undefined || wanted === name ? (rules?.rules ?? []).map((rule) => describeRule(rule, name)) : [],
    );
    return { body: { data } };
  },
  run: async ({ env, sources: all }, given) => {
    const tried = given.webhook === undefined ? await ofBody(all, given) : await ofWebhook(all, env, given);
    if ("refusal" in tried) return tried;
    const { name, source, id, envelope, planned, secrets } = tried;
    const plan = await planDeliveries(name, source, envelope, 0);
    const { deliveries, outcomes, links, skip } = secrets.texts.length === 0 ? plan : withoutSecrets(plan, secrets);
    const config = configOf(env);
    return {
      body: {
        source: name,
        type: envelope.type,
        id,
        test: envelope.test ?? false,
        skip: skip ?? null,
        outcomes: outcomes.map((one) => ({ ...one, why: whyRule(one) })),
        links,
        deliveries: deliveries.map((delivery) => triedDelivery(delivery, config)),
        planned: planned?.map((delivery) => triedDelivery(delivery, config)) ?? null,
      },
    };
  },
};

const unknownSource = (all: Sources, name: string, path = "source") =>
  refuse("invalid_request", `${path}: ${noSource(name, Object.keys(all))}`, path);

type Planned = Awaited<ReturnType<typeof planDeliveries>>;

const withoutSecrets = (plan: Planned, secrets: Secrets): Planned => {
  const clean = <T>(value: T): T => JSON.parse(erase(JSON.stringify(value), secrets)) as T;
  const deliveries = plan.deliveries.map((delivery) => eraseDelivery(delivery as Delivery, secrets));
  return { ...plan, deliveries, outcomes: clean(plan.outcomes), links: clean(plan.links) };
};

type Given = Request<BridgeContract["rules"]["run"]>;
type Refused = { refusal: Refusal };

/** The signature is not checked: the webhook has no effect. */
const ofBody = async (all: Sources, { source: name, type, body: content }: Given): Promise<Tried | Refused> => {
  if (name === undefined || content === undefined)
    return refuse("invalid_request", "Either webhook, or source and body, are required.", "source");
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source) return unknownSource(all, name);
  const now = Date.now();
  if (type !== undefined) {
    const envelope = { id: "try", type, occurredAt: now, body: { ...content, type } };
    return { name, source, id: "try", envelope, planned: null, secrets: NO_SECRETS };
  }
  const raw = JSON.stringify(content);
  const request = { method: "POST", url: `https://bridge.invalid/hooks/${name}`, headers: new Headers(), raw };
  try {
    const envelope = await handlerOf(source).read(request, content, now);
    return { name, source, id: envelope.id, envelope, planned: null, secrets: NO_SECRETS };
  } catch (error) {
    const message = `body: ${handlerOf(source).about.title} would not send it like this: ${(error as Error).message}`;
    return refuse(
      "invalid_request",
      `${message} Send type with the name of the event to run its rules all the same.`,
      "body",
    );
  }
};

const ofWebhook = async (all: Sources, env: Env, given: Given): Promise<Tried | Refused> => {
  if (given.source !== undefined || given.body !== undefined || given.type !== undefined)
    return refuse("invalid_request", "webhook goes without source, type and body.", "webhook");
  const seq = seqOf(given.webhook ?? "");
  const [page, shown] =
    seq === undefined
      ? [null, null]
      : await Promise.all([callObject(() => outboxOf(env).storedOne(seq)), callObject(() => outboxOf(env).show(seq))]);
  if (seq === undefined || !page || !shown) return webhookNotFound;
  const [stored] = page.webhooks;
  if (!stored)
    return refuse(
      "invalid_request",
      `webhook: its body is gone (${page.gone[0]?.why}), so no rule can run.`,
      "webhook",
    );
  const source = Object.hasOwn(all, stored.source) ? all[stored.source] : undefined;
  if (!source) return unknownSource(all, stored.source, "webhook");
  const { deliveries, secretPaths } = shown.webhook;
  // The stored body has secrets while a delivery is open.
  const paths = [...secretPaths, ...(handlerOf(source).secretPaths ?? []), ...(source.redact ?? [])];
  const secrets = secretsAt(stored.body, paths);
  return {
    name: stored.source,
    source,
    id: webhookIdOf(seq),
    envelope: envelopeOf(stored),
    planned: deliveries,
    secrets,
  };
};
