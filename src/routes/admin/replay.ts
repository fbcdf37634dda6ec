import { outboxOf } from "../../env.ts";
import { isObject } from "../../lib/util/json.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { parseExact } from "../../lib/webhook/parse.ts";
import { seqOf, webhookIdOf } from "../../outbox/model/delivery-state.ts";
import type { Delivery } from "../../outbox/model/journal-types.ts";
import type {
  Action,
  BodyErased,
  NotMade,
  ReplayPlan,
  StoredPage,
  StoredWebhook,
} from "../../outbox/operator/replay.ts";
import { describeDelivery, whomOf } from "../../outbox/operator/sentences.ts";
import type { Envelope } from "../../webhook.ts";
import { planDeliveries } from "../plan-deliveries.ts";
import { type Answer, type BridgeHandlers, type Caller, type Sources, webhookNotFound } from "./handler.ts";
import { filterOf } from "./search-filter.ts";
import { backlogFull, reachOf } from "./show.ts";

const EXAMPLES = 10;

/**
 * Replays one stored webhook. Makes only contact updates unless `actions` names more; a dry run unless `dryRun` is
 * false.
 */
export const replayOne: BridgeHandlers<"webhooks">["replay"] = async (caller, given) => {
  const seq = seqOf(given.webhookId);
  const page = seq === undefined ? null : await callObject(() => outboxOf(caller.env).storedOne(seq));
  return page ? run(caller, page, given) : webhookNotFound;
};

/** Replays stored webhooks like `replayOne`. */
export const replayAll: BridgeHandlers<"webhooks">["replayAll"] = async (caller, given) => {
  const page = await callObject(() => outboxOf(caller.env).stored(filterOf(given), given.cursor));
  return run(caller, page, given);
};

const run = async (
  { env, actor, sources: all }: Caller,
  page: StoredPage,
  { dryRun = true, actions = ["contact"] }: { dryRun?: boolean | undefined; actions?: Action[] | undefined },
): Promise<Answer> => {
  const planned = await Promise.all(page.webhooks.map((webhook) => planReplay(all, webhook)));
  const deliveries = await outboxOf(env).replay(planned, actions, dryRun, actor);
  if ("overload" in deliveries) return backlogFull(deliveries.overload);
  const made = deliveries.filter(({ notMade }) => notMade === undefined);
  const failed = planned.flatMap(({ seq, outcomes }) =>
    outcomes.flatMap(({ rule, outcome, message }) =>
      outcome === "failed" ? [{ webhook: webhookIdOf(seq), rule, message: message ?? "" }] : [],
    ),
  );
  const body = {
    dryRun,
    actions,
    webhooks: page.webhooks.length + page.gone.length,
    notReplayable: count<BodyErased>(page.gone.map(({ why }) => why)),
    failed: failed.slice(0, EXAMPLES),
    deliveries: made.length,
    byAction: count(made.map(({ delivery }) => delivery.action)),
    byRule: count(made.map(({ delivery }) => delivery.rule)),
    notMade: count<NotMade>(deliveries.flatMap(({ notMade }) => notMade ?? [])),
    examples: made.slice(0, EXAMPLES).map(({ seq, delivery }) => ({
      webhook: webhookIdOf(seq),
      rule: delivery.rule,
      action: delivery.action,
      what: describeDelivery(delivery as Delivery),
      whom: whomOf(delivery as Delivery),
    })),
    ...reachOf(page),
  };
  return { body };
};

const planReplay = async (all: Sources, stored: StoredWebhook): Promise<ReplayPlan> => {
  const { seq, source: name } = stored;
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source) return { seq, deliveries: [], outcomes: [], links: [] };
  // `seq` makes the keys unique.
  return { seq, ...(await planDeliveries(name, source, envelopeOf(stored), seq)) };
};

/** Rebuilds a stored webhook's envelope. */
export const envelopeOf = (stored: StoredWebhook): Envelope => {
  const { eventId, type, occurredAt, test } = stored;
  // A digest that repeats after 24 h is stored with a suffix.
  const [, digest] = /^([0-9a-f]{64})(?:@\d+)?$/.exec(eventId) ?? [];
  return {
    id: digest ?? eventId,
    digest: digest !== undefined,
    type,
    occurredAt,
    test,
    body: bodyOf(stored),
  };
};

/** Some providers do not send `type`. */
const bodyOf = ({ body, type }: StoredWebhook): unknown => {
  const json = parseExact(body);
  return isObject(json) ? { ...json, type } : json;
};

const count = <T extends string>(words: readonly T[]): Partial<Record<T, number>> => {
  const counts: Partial<Record<T, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};
