import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { log } from "../../lib/util/log.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { PlannedWebhook, Receipt } from "../../outbox/model/types.ts";
import type { PlannedCall } from "../../rules/types.ts";
import { handlerOf, type Source, sources } from "../../sources.ts";
import type { Envelope } from "../../webhook.ts";
import { refuse } from "../errors.ts";
import { noSource } from "../no-source.ts";
import { toPlannedWebhook } from "../plan.ts";
import { body, flag } from "./params.ts";
import { crowded } from "./show.ts";

/** Objects and bytes of one request. */
const MOST = 200;
const MAX_BODY = 4_000_000;
/** Objects whose rules failed that the answer names. */
const EXAMPLES = 5;
const LEFT_OUT = "Of what the rule wants, a backfill makes updates of contacts only, and events where asked.";

const objects = (given: unknown): unknown[] => {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST)
    throw new Error(`has to be a list of 1 to ${MOST} objects as the provider's API gives them`);
  return given;
};

/**
 * Takes objects that were there before the first webhook: each becomes the webhook that would have told of it, goes
 * through the rules of this deployment, and its calls wait in the lowest lane. Mail is never sent.
 */
export const backfillOf = (all: Readonly<Record<string, Source>>) =>
  new Hono<{ Bindings: Env }>().post("/:source", async (c) => {
    const name = c.req.param("source");
    const source = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!source) return refuse("unknown_source", noSource(name, Object.keys(all)));
    const { api, provider } = handlerOf(source);
    if (!api?.backfill) {
      return refuse(
        "invalid_parameter",
        `source: nothing can be read from ${provider}. Possible: ${able(all).join(", ")}.`,
      );
    }
    const now = Date.now();
    const given = await body(c.req.raw, { objects, events: flag, dryRun: flag }, now, MAX_BODY);
    if (given instanceof Response) return given;
    if (given.objects === undefined) return refuse("invalid_parameter", "objects is missing.");
    const { events = false, dryRun = false } = given;

    const envelopes: Envelope[] = [];
    for (const [index, object] of given.objects.entries()) {
      try {
        envelopes.push(await api.backfill.envelope(object, now));
      } catch (error) {
        return refuse("invalid_parameter", `objects[${index}]: ${(error as Error).message}`);
      }
    }
    const planned = await Promise.all(envelopes.map((envelope) => plan(name, source, envelope, events, now)));
    const useful = planned.filter(({ calls, links }) => calls.length > 0 || links.length > 0);
    let receipts: Receipt[] = [];
    if (!dryRun && useful.length > 0) {
      const taken = await callObject(async () => outboxOf(c.env).backfill(useful));
      if ("overload" in taken) return crowded(taken.overload);
      receipts = taken.receipts;
    }
    const told = summary(planned, useful, receipts, dryRun);
    log("backfill", { source: name, objects: planned.length, accepted: told.accepted, dryRun });
    return c.json(told);
  });

/** An object's webhook with the calls that are wanted of it. */
const plan = async (
  name: string,
  source: Source,
  given: Envelope,
  events: boolean,
  now: number,
): Promise<PlannedWebhook> => {
  // With events it is another webhook: to ask for them later must not find it known already.
  const envelope = events ? { ...given, id: `${given.id}:events` } : given;
  const accepted = await toPlannedWebhook(name, source, JSON.stringify(envelope.body), envelope, 1, now);
  const wanted = ({ action }: PlannedCall) => action === "contact" || (events && action === "event");
  const calls = accepted.calls.filter(wanted);
  const without = new Set(accepted.calls.filter((call) => !wanted(call)).map(({ rule }) => rule));
  const outcomes = accepted.outcomes.map((outcome) =>
    outcome.outcome === "matched" && without.has(outcome.rule) ? { ...outcome, message: LEFT_OUT } : outcome,
  );
  return { ...accepted, calls, outcomes, lane: "backfill" };
};

const summary = (
  planned: readonly PlannedWebhook[],
  useful: readonly PlannedWebhook[],
  receipts: readonly Receipt[],
  dryRun: boolean,
) => {
  // Of what is known already nothing is done again.
  const fresh = dryRun ? useful : useful.filter((_, i) => receipts[i]?.duplicate === false);
  const count = (action: PlannedCall["action"]) =>
    fresh.reduce((sum, { calls }) => sum + calls.filter((call) => call.action === action).length, 0);
  const failed = planned.flatMap(({ eventId, outcomes }) =>
    outcomes.flatMap(({ outcome, rule, message }) => (outcome === "failed" ? [{ event: eventId, rule, message }] : [])),
  );
  return {
    dryRun,
    objects: planned.length,
    accepted: fresh.length,
    duplicate: useful.length - fresh.length,
    /** No rule wants anything of them, and they tie nobody together. */
    nothing: planned.length - useful.length,
    skipped: fresh.filter(({ skip }) => skip !== undefined).length,
    calls: { contact: count("contact"), event: count("event") },
    failed: failed.length,
    failures: failed.slice(0, EXAMPLES),
  };
};

const able = (all: Readonly<Record<string, Source>>): string[] =>
  Object.entries(all).flatMap(([name, source]) => (handlerOf(source).api?.backfill ? [name] : []));

/** For the sources of this deployment. */
export const backfill = backfillOf(sources);
