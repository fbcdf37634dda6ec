import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../env.ts";
import type { Scheme } from "../lib/signature/scheme.ts";
import { log } from "../lib/util/log.ts";
import { stateProblemOf } from "../lib/util/migrate.ts";
import { callObject } from "../lib/util/retry-object.ts";
import { decodeResult, type EncodedWebhooks, encodeWebhooks } from "../outbox/intake/rpc-text.ts";
import { UNKNOWN } from "../outbox/journal/refusals.ts";
import type { AcceptResult, PlannedWebhook, Receipt } from "../outbox/model/journal-types.ts";
import { handlerOf, type Source, schemeOf, sources } from "../sources.ts";
import { failedWrites } from "./failed-writes.ts";
import { longAddress, unknownSource } from "./no-source.ts";
import { skipOf, toPlannedWebhook } from "./plan-deliveries.ts";
import {
  createReader,
  type HookRequest,
  responseOf,
  type VerifiedRequest,
  type VerifyDependencies,
} from "./read-webhooks.ts";
import { refuse } from "./refusal-codes.ts";
import { createTally } from "./refusal-tally.ts";

/** Milliseconds. */
const TIMEOUT = 5_000;

type DoorDependencies = Omit<VerifyDependencies, "sleep"> & Partial<Pick<VerifyDependencies, "sleep">>;

const realDependencies: Required<DoorDependencies> = {
  now: () => Date.now(),
  // A redirect could lead away from the allowed server.
  fetch: (url) => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT) }),
  urlOf: (request) => request.url,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const takesToken = (scheme: Scheme): boolean =>
  scheme.kind === "shared" ? scheme.path === true : "of" in scheme && scheme.of.some(takesToken);

/** Answers a request to source `name`. `token`: the path segment after it. */
export type Door = (
  request: Request,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil"> | undefined,
  name: string,
  token?: string,
) => Promise<Response>;

/** Verifies requests, plans deliveries, and calls the Outbox once. */
export const doorOf = (
  all: Readonly<Record<string, Source>>,
  { sleep = realDependencies.sleep, ...dependencies }: DoorDependencies = realDependencies,
): Door => {
  const read = createReader({ ...dependencies, sleep });
  const tally = createTally(sleep);

  return async (request, env, context, name, token) => {
    const source = Object.hasOwn(all, name) ? all[name] : undefined;
    const refused: typeof refuse = (code, ...rest) => {
      const counted = source ? name : UNKNOWN;
      log("webhook_refused", { source: counted, code });
      const waitUntil = context && ((work: Promise<void>) => context.waitUntil(work));
      tally.add(counted, code, dependencies.now(), waitUntil, (all) => outboxOf(env).refused(all));
      return refuse(code, ...rest);
    };
    if (!source) return refused("unknown_source", unknownSource(name));
    if (token === "" || (token !== undefined && !takesToken(schemeOf(source))))
      return refused("unknown_source", longAddress(name, token));
    const hook = { request, env, name, source, refused };
    const verified = await read(hook, token);
    return verified instanceof Response ? verified : journalAll(hook, verified.at, encode(hook, verified));
  };
};

/** The routes of a door: `/:source`, and `/:source/:token`. A slash at the end is refused, and counted. */
export const routesOf = (door: Door): Hono<{ Bindings: Env }> =>
  new Hono<{ Bindings: Env }>()
    .all("/:source", (c) => door(c.req.raw, c.env, contextOf(c), c.req.param("source")))
    .all("/:source/", (c) => door(c.req.raw, c.env, contextOf(c), c.req.param("source"), ""))
    .all("/:source/:token", (c) => door(c.req.raw, c.env, contextOf(c), c.req.param("source"), c.req.param("token")));

/** `unsent`: one of the webhooks asks for a mail, and no rule makes one. `skipped`: why nothing is sent. */
type Encoded = { encoded: EncodedWebhooks; unsent: boolean; skipped: { skipped?: string } };

const encode = async ({ name, source }: HookRequest, { raw, at, envelopes }: VerifiedRequest): Promise<Encoded> => {
  const webhooks = await Promise.all(
    envelopes.map((envelope) => toPlannedWebhook(name, source, raw, envelope, envelopes.length, at)),
  );
  const unsent = webhooks.some((webhook) => isUnsent(source, webhook));
  return { encoded: encodeWebhooks(webhooks), unsent, skipped: skipped(source, envelopes) };
};

const isUnsent = (source: Source, { type, deliveries }: PlannedWebhook): boolean =>
  type === handlerOf(source).mail && !deliveries.some(({ action }) => action === "transactional");

const unsentMessage = ({ rules }: Source): string =>
  rules
    ? "No rule sends this mail, and the provider would take it for sent. Add a rule for it, or switch it off there."
    : "The source has no rules, and the provider would take this mail for sent. Give the source rules.";

/** Takes texts, so that no parsed body is in memory while the Outbox commits. */
const journalAll = async (
  { env, name, source, refused }: HookRequest,
  at: number,
  encoding: Promise<Encoded>,
): Promise<Response> => {
  try {
    const { encoded, unsent, skipped } = await encoding;
    if (unsent) return refused("no_mail", unsentMessage(source));
    const result: AcceptResult =
      encoded.length > 1 ? decodeResult(await callObject(() => outboxOf(env).accept(...encoded))) : { receipts: [] };
    if ("overload" in result) {
      const { message, retryAfter } = result.overload;
      return refused("overloaded", message, { "Retry-After": String(retryAfter) });
    }
    const { receipts } = result;
    const { accepted: reply } = handlerOf(source);
    if (reply && (reply.body !== undefined || reply.status === 204)) return responseOf(reply);
    return responseOf({
      status: reply?.status ?? 202,
      body: JSON.stringify({ ...summary(receipts), ...skipped }),
    });
  } catch (error) {
    if (stateProblemOf(error)) throw error;
    failedWrites.note(at);
    log("journal_unavailable", { source: name, error: (error as Error).message });
    return refused("journal_unavailable", "The webhook could not be stored. Send it again.", { "Retry-After": "5" });
  }
};

/** Why nothing of a request is sent. */
const skipped = (source: Source, envelopes: VerifiedRequest["envelopes"]): { skipped?: string } => {
  const reasons = envelopes.map(({ test = false }) => skipOf(source, test));
  const [reason] = reasons;
  return reason !== undefined && reasons.every((one) => one !== undefined) ? { skipped: reason } : {};
};

const summary = (receipts: readonly Receipt[]) => {
  const [first] = receipts;
  if (first && receipts.length === 1) return first;
  return {
    ...(first ? { id: first.id } : {}),
    duplicate: receipts.every(({ duplicate }) => duplicate),
    deliveries: receipts.reduce((sum, { deliveries }) => sum + deliveries, 0),
    webhooks: receipts,
  };
};

/** Undefined outside of a Worker. */
const contextOf = (c: Context) => {
  try {
    return c.executionCtx;
  } catch {
    return undefined;
  }
};

export const door = doorOf(sources);
