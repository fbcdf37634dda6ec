import * as z from "zod";
import { outboxOf } from "../../env.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { randomId } from "../../lib/util/id.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { Forwarded } from "../../outbox/dispatch/gateway-queue.ts";
import { seqOf } from "../../outbox/model/delivery-state.ts";
import type { DeliveryRef } from "../../outbox/model/journal-types.ts";
import { type Acted, NOT_FOUND } from "../../outbox/operator/actions.ts";
import type { Cause } from "../../outbox/operator/attention.ts";
import { isAboutTemplate, type Named } from "../../outbox/operator/refusal-cures.ts";
import { deliveryIdOf } from "../../outbox/operator/sentences.ts";
import { problemsOf } from "../problems.ts";
import { namedIn, ofCause, problemOf } from "./cures.ts";
import { backlogOf, knownOf, statusOf } from "./dispatch.ts";
import { type Answer, type BridgeHandlers, type Caller, refuse } from "./handler.ts";
import { filterOf, pageOf } from "./search-filter.ts";
import { backlogFull, deliveryOf, foundOf, reachOf } from "./show.ts";

const LIMIT = 20;
const EXAMPLES = 10;

export const deliveries: BridgeHandlers<"deliveries"> = {
  search: async ({ env }, given) => {
    const found = await callObject(() => outboxOf(env).searchDeliveries(filterOf(given), pageOf(given, LIMIT)));
    return { body: { data: found.deliveries.map(foundOf), ...reachOf(found) } };
  },
  causes: async (caller, { cursor }) => {
    const { env } = caller;
    const [{ causes, ...reach }, status] = await Promise.all([
      callObject(() => outboxOf(env).causes(cursor)),
      statusOf(env),
    ]);
    const named = await namedAt(caller, causes);
    const now = Date.now();
    const problems = cursor === undefined ? problemsOf(knownOf(status, env, now), now) : [];
    const data = [
      // Each cause is an entry of its own.
      ...problems.filter(({ kind }) => kind !== "deliveries").map((one) => problemOf(one, caller)),
      ...causes.map((cause) => causeOf(cause, named)),
    ].toSorted((a, b) => b.weight - a.weight || (b.count ?? 0) - (a.count ?? 0));
    return { body: { data, backlog: backlogOf(status), ...reachOf(reach) } };
  },
  retryAll: async ({ env, actor }, given) => {
    const { dryRun = true } = given;
    const result = await outboxOf(env).retryAll(filterOf(given), given.cursor, dryRun, actor);
    if ("overload" in result) return backlogFull(result.overload);
    return {
      body: {
        dryRun,
        retried: result.retried.length,
        refused: result.refused,
        examples: result.retried.slice(0, EXAMPLES).map(deliveryIdOf),
        ...reachOf(result),
      },
    };
  },
  retry: ({ env, actor }, { deliveryId }) => act(deliveryId, (ref) => outboxOf(env).retry(ref, actor)),
  discard: ({ env, actor }, { deliveryId }) => act(deliveryId, (ref) => outboxOf(env).discard(ref, actor)),
  sendAgain: ({ env, actor }, { deliveryId, confirm = false }) => {
    const key = randomId("again", 40);
    return act(deliveryId, (ref) => outboxOf(env).sendAgain(ref, confirm, key, actor));
  },
};

const causeOf = (cause: Cause, named: Named) => {
  const { first, last, examples, status: _status, template: _template, ...rest } = cause;
  const times = { first: isoOf(first), last: isoOf(last) };
  return {
    kind: "delivery" as const,
    ...rest,
    ...times,
    examples: examples.map(deliveryIdOf),
    ...ofCause(cause, named),
  };
};

/** Milliseconds. */
const LIST_WAIT = 2_000;

/** Asks the email service for its templates, if a cause may be an id that it does not know. */
const namedAt = async (caller: Caller, causes: readonly Cause[]): Promise<Named> => {
  const named = namedIn(caller);
  const { EMAIL_API_KEY: key = "" } = caller.env;
  if (!causes.some(isAboutTemplate) || key === "") return named;
  const headers = [["authorization", `Bearer ${key}`]];
  const request = { method: "GET", path: "/v1/transactional?perPage=50", headers, body: undefined };
  try {
    const answer: Forwarded = await outboxOf(caller.env).forward(request, LIST_WAIT);
    if ("refused" in answer || answer.status !== 200) return named;
    const known = LISTED.safeParse(JSON.parse(new TextDecoder().decode(answer.body)));
    return known.success ? { ...named, known: known.data.data } : named;
  } catch {
    return named;
  }
};

const LISTED = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });

const act = async (deliveryId: string, action: (ref: DeliveryRef) => Promise<Acted>): Promise<Answer> => {
  const ref = refOf(deliveryId);
  const acted: Acted = ref ? await action(ref) : { refusal: NOT_FOUND };
  if ("refusal" in acted) return refuse(acted.refusal.code, acted.refusal.message, "deliveryId");
  const { seq, index } = ref as DeliveryRef;
  return { body: deliveryOf(seq, index, acted.delivery, undefined) };
};

const refOf = (id: string): DeliveryRef | undefined => {
  const [, webhook, index] = /^(wh_[0-9a-z]+)\.(\d{1,4})$/.exec(id) ?? [];
  const seq = webhook === undefined ? undefined : seqOf(webhook);
  return seq === undefined ? undefined : { seq, index: Number(index) };
};
