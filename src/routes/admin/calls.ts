import { outboxOf } from "../../env.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { randomId } from "../../lib/util/id.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/calls.ts";
import type { CallRef } from "../../outbox/model/types.ts";
import { type Acted, NOT_FOUND } from "../../outbox/operator/actions.ts";
import { callIdOf } from "../../outbox/operator/sentences.ts";
import { filterOf, pageOf } from "./filter.ts";
import { type Answer, type BridgeHandlers, refuse } from "./handler.ts";
import { backlogFull, callOf, foundOf, reachOf } from "./show.ts";

const LIMIT = 20;
const EXAMPLES = 10;

export const calls: BridgeHandlers<"calls"> = {
  search: async ({ env }, given) => {
    const found = await callObject(() => outboxOf(env).searchCalls(filterOf(given), pageOf(given, LIMIT)));
    return { body: { data: found.calls.map(foundOf), ...reachOf(found) } };
  },
  causes: async ({ env }, { cursor }) => {
    const { causes, ...reach } = await callObject(() => outboxOf(env).causes(cursor));
    const data = causes.map(({ first, last, examples, ...rest }) => ({
      ...rest,
      first: isoOf(first),
      last: isoOf(last),
      examples: examples.map(callIdOf),
    }));
    return { body: { data, ...reachOf(reach) } };
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
        examples: result.retried.slice(0, EXAMPLES).map(callIdOf),
        ...reachOf(result),
      },
    };
  },
  retry: ({ env, actor }, { callId }) => act(callId, (ref) => outboxOf(env).retry(ref, actor)),
  discard: ({ env, actor }, { callId }) => act(callId, (ref) => outboxOf(env).discard(ref, actor)),
  sendAgain: ({ env, actor }, { callId, confirm = false }) => {
    const key = randomId("again", 40);
    return act(callId, (ref) => outboxOf(env).sendAgain(ref, confirm, key, actor));
  },
};

const act = async (callId: string, action: (ref: CallRef) => Promise<Acted>): Promise<Answer> => {
  const ref = refOf(callId);
  const acted: Acted = ref ? await action(ref) : { refusal: NOT_FOUND };
  if ("refusal" in acted) return refuse(acted.refusal.code, acted.refusal.message, "callId");
  const { seq, index } = ref as CallRef;
  return { body: callOf(seq, index, acted.call, undefined) };
};

const refOf = (id: string): CallRef | undefined => {
  const [, webhook, index] = /^(wh_[0-9a-z]+)\.(\d{1,4})$/.exec(id) ?? [];
  const seq = webhook === undefined ? undefined : seqOf(webhook);
  return seq === undefined ? undefined : { seq, index: Number(index) };
};
