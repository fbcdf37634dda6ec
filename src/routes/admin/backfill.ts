import { outboxOf } from "../../env.ts";
import { log } from "../../lib/util/log.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { PlannedWebhook, Receipt } from "../../outbox/model/journal-types.ts";
import type { PlannedDelivery } from "../../rules/types.ts";
import { handlerOf, type Source } from "../../sources.ts";
import type { Envelope } from "../../webhook.ts";
import { noSource } from "../no-source.ts";
import { toPlannedWebhook } from "../plan-deliveries.ts";
import { type BridgeHandlers, refuse, type Sources } from "./handler.ts";
import { backlogFull } from "./show.ts";

const EXAMPLES = 5;
const LEFT_OUT = 'Skipped: a backfill makes contact updates only (and events with "events": true).';

/** Plans deliveries for existing objects in the lowest lane. A backfill never sends mail. */
const add: BridgeHandlers<"backfill">["add"] = async ({ env, sources: all }, given) => {
  const { source: name, objects, events = false, dryRun = false } = given;
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source) return refuse("unknown_source", noSource(name, Object.keys(all)), "source");
  const { api, provider } = handlerOf(source);
  if (!api?.backfill) {
    const possible = sourcesWithBackfill(all).join(", ");
    const message = `source: a backfill from ${provider} is not possible. Possible: ${possible}.`;
    return refuse("invalid_request", message, "source");
  }
  const now = Date.now();
  const envelopes: Envelope[] = [];
  for (const [index, object] of objects.entries()) {
    try {
      envelopes.push(await api.backfill.envelope(object, now));
    } catch (error) {
      const path = `objects.${index}`;
      return refuse("invalid_request", `${path}: ${(error as Error).message}`, path);
    }
  }
  const planned = await Promise.all(envelopes.map((envelope) => planBackfill(name, source, envelope, events, now)));
  const useful = planned.filter(
    ({ deliveries, links, names }) => deliveries.length > 0 || links.length > 0 || names !== undefined,
  );
  let receipts: Receipt[] = [];
  if (!dryRun && useful.length > 0) {
    const result = await callObject(() => outboxOf(env).backfill(useful));
    if ("overload" in result) return backlogFull(result.overload);
    receipts = result.receipts;
  }
  const body = summary(planned, useful, receipts, dryRun);
  log("backfill", { source: name, objects: planned.length, accepted: body.accepted, dryRun });
  return { body };
};

export const backfill: BridgeHandlers<"backfill"> = { add };

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
  const mayMake = ({ action }: PlannedDelivery) => action === "contact" || (events && action === "event");
  const deliveries = planned.deliveries.filter(mayMake);
  const leftOut = new Set(planned.deliveries.filter((delivery) => !mayMake(delivery)).map(({ rule }) => rule));
  const outcomes = planned.outcomes.map((outcome) =>
    outcome.outcome === "matched" && leftOut.has(outcome.rule) ? { ...outcome, message: LEFT_OUT } : outcome,
  );
  return { ...planned, deliveries, outcomes, lane: "backfill" };
};

const summary = (
  planned: readonly PlannedWebhook[],
  useful: readonly PlannedWebhook[],
  receipts: readonly Receipt[],
  dryRun: boolean,
) => {
  const fresh = dryRun ? useful : useful.filter((_, i) => receipts[i]?.duplicate === false);
  const count = (action: PlannedDelivery["action"]) =>
    fresh.reduce((sum, { deliveries }) => sum + deliveries.filter((delivery) => delivery.action === action).length, 0);
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
    deliveries: { contact: count("contact"), event: count("event") },
    failed: failed.length,
    failures: failed.slice(0, EXAMPLES),
  };
};

const sourcesWithBackfill = (all: Sources): string[] =>
  Object.entries(all).flatMap(([name, source]) => (handlerOf(source).api?.backfill ? [name] : []));
