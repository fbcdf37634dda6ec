import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { backfillFields } from "../../lib/contract/admin/bridge/backfill.ts";
import { log } from "../../lib/util/log.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { PlannedWebhook, Receipt } from "../../outbox/model/types.ts";
import type { PlannedCall } from "../../rules/types.ts";
import { handlerOf, type Source, sources } from "../../sources.ts";
import type { Envelope } from "../../webhook.ts";
import { refuse } from "../errors.ts";
import { noSource } from "../no-source.ts";
import { toPlannedWebhook } from "../plan.ts";
import { body } from "./params.ts";
import { backlogFull } from "./show.ts";

/** Bytes. */
const MAX_BODY = 4_000_000;
const EXAMPLES = 5;
const LEFT_OUT = 'Skipped: a backfill makes contact updates only (and events with "events": true).';

/** Plans deliveries for existing objects in the lowest lane. A backfill never sends mail. */
export const backfillOf = (all: Readonly<Record<string, Source>>) =>
  new Hono<{ Bindings: Env }>().post("/:source", async (c) => {
    const name = c.req.param("source");
    const source = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!source) return refuse("unknown_source", noSource(name, Object.keys(all)));
    const { api, provider } = handlerOf(source);
    if (!api?.backfill) {
      const possible = sourcesWithBackfill(all).join(", ");
      return refuse("invalid_parameter", `source: a backfill from ${provider} is not possible. Possible: ${possible}.`);
    }
    const now = Date.now();
    const given = await body(c.req.raw, backfillFields, MAX_BODY);
    if (given instanceof Response) return given;
    if (given.objects === undefined) return refuse("invalid_parameter", "objects is required.");
    const { events = false, dryRun = false } = given;

    const envelopes: Envelope[] = [];
    for (const [index, object] of given.objects.entries()) {
      try {
        envelopes.push(await api.backfill.envelope(object, now));
      } catch (error) {
        return refuse("invalid_parameter", `objects[${index}]: ${(error as Error).message}`);
      }
    }
    const planned = await Promise.all(envelopes.map((envelope) => planBackfill(name, source, envelope, events, now)));
    const useful = planned.filter(
      ({ calls, links, names }) => calls.length > 0 || links.length > 0 || names !== undefined,
    );
    let receipts: Receipt[] = [];
    if (!dryRun && useful.length > 0) {
      const result = await callObject(() => outboxOf(c.env).backfill(useful));
      if ("overload" in result) return backlogFull(result.overload);
      receipts = result.receipts;
    }
    const answer = summary(planned, useful, receipts, dryRun);
    log("backfill", { source: name, objects: planned.length, accepted: answer.accepted, dryRun });
    return c.json(answer);
  });

const planBackfill = async (
  name: string,
  source: Source,
  given: Envelope,
  events: boolean,
  now: number,
): Promise<PlannedWebhook> => {
  // The id differs, so that a later backfill with events is no duplicate.
  const envelope = events ? { ...given, id: `${given.id}:events` } : given;
  const planned = await toPlannedWebhook(name, source, JSON.stringify(envelope.body), envelope, 1, now);
  const mayMake = ({ action }: PlannedCall) => action === "contact" || (events && action === "event");
  const calls = planned.calls.filter(mayMake);
  const leftOut = new Set(planned.calls.filter((call) => !mayMake(call)).map(({ rule }) => rule));
  const outcomes = planned.outcomes.map((outcome) =>
    outcome.outcome === "matched" && leftOut.has(outcome.rule) ? { ...outcome, message: LEFT_OUT } : outcome,
  );
  return { ...planned, calls, outcomes, lane: "backfill" };
};

const summary = (
  planned: readonly PlannedWebhook[],
  useful: readonly PlannedWebhook[],
  receipts: readonly Receipt[],
  dryRun: boolean,
) => {
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
    /** Objects without deliveries, links and name. */
    nothing: planned.length - useful.length,
    skipped: fresh.filter(({ skip }) => skip !== undefined).length,
    calls: { contact: count("contact"), event: count("event") },
    failed: failed.length,
    failures: failed.slice(0, EXAMPLES),
  };
};

const sourcesWithBackfill = (all: Readonly<Record<string, Source>>): string[] =>
  Object.entries(all).flatMap(([name, source]) => (handlerOf(source).api?.backfill ? [name] : []));

export const backfill = backfillOf(sources);
