import { type Env, outboxOf, secretOf } from "../../../env.ts";
import { describeScheme } from "../../../lib/signature/describe.ts";
import { secretsIn } from "../../../lib/signature/secrets.ts";
import { whyUnusable } from "../../../lib/signature/usable.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { callObject } from "../../../lib/util/retry-object.ts";
import type { OutboxRpc } from "../../../outbox/rpc.ts";
import { handlerOf, type Source, schemeOf } from "../../../sources.ts";
import { noSource } from "../../no-source.ts";
import { type BridgeHandlers, refuse } from "../handler.ts";

type Facts = Awaited<ReturnType<OutboxRpc["sourceFacts"]>>;

const list: BridgeHandlers<"sources">["list"] = async ({ env, sources: all }, { source: wanted }) => {
  if (wanted !== undefined && !Object.hasOwn(all, wanted))
    return refuse("invalid_request", `source: ${noSource(wanted, Object.keys(all))}`, "source");
  const facts = await callObject(() => outboxOf(env).sourceFacts());
  const chosen = Object.entries(all).filter(([name]) => wanted === undefined || name === wanted);
  return { body: { data: await Promise.all(chosen.map(([name, source]) => shown(env, name, source, facts))) } };
};

/** Shows sources and their activity, without secrets. */
export const sources: BridgeHandlers<"sources"> = { list };

const shown = async (env: Env, name: string, source: Source, { facts, paused }: Facts) => {
  const { provider, about } = handlerOf(source);
  const { header, fetchBack, tolerance, silentAfter, testData, planOnly, rules } = source;
  const path = `/hooks/${name}`;
  const arrived = Object.hasOwn(facts, name) ? facts[name] : undefined;
  const refused = arrived?.lastRefused ?? null;
  return {
    name,
    provider,
    title: about.title,
    path,
    address: addressOf(env, path),
    proof: describeScheme(schemeOf(source)).replaceAll("`", ""),
    whereToSet:
      header === undefined ? about.setUp : `Add the header ${header} to the webhook. You choose its value: the secret.`,
    secret: await stateOfSecret(env, source),
    rules: rules?.rules.length ?? 0,
    events: [...new Set(rules?.rules.flatMap(({ on }) => on) ?? [])],
    planOnly: planOnly ?? false,
    testData: testData ?? "skip",
    tolerance: tolerance ?? null,
    silentAfter: silentAfter ?? null,
    fetchBack: fetchBack ? { variable: fetchBack.key, set: secretOf(env, fetchBack.key) !== "" } : null,
    pausedSince: isoOrNull((Object.hasOwn(paused, name) ? paused[name] : undefined) ?? null),
    lastReceived: isoOrNull(arrived?.lastReceived ?? null),
    lastRefused: refused && { at: isoOf(refused.at), code: refused.code },
    received24h: arrived?.received24h ?? 0,
    refused24h: arrived?.refused24h ?? 0,
  };
};

/** A secret counts as set while one of its values is usable. */
const stateOfSecret = async (env: Env, source: Source) => {
  const variable = source.secret;
  const values = secretsIn(secretOf(env, variable), handlerOf(source).freeSecret ?? false);
  const reasons = await Promise.all(values.map((value) => whyUnusable(schemeOf(source), value)));
  const why = reasons.find((reason) => reason !== undefined);
  const state = values.length === 0 ? "missing" : reasons.includes(undefined) ? "set" : "unusable";
  return { variable, state, values: values.length, ...(why === undefined ? {} : { why }) };
};

const addressOf = ({ PUBLIC_URL = "" }: Env, path: string): string | null => {
  const url = URL.parse(PUBLIC_URL);
  return url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, "") + path : null;
};
