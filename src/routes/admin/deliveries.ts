import { outboxOf } from "../../env.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { randomId } from "../../lib/util/id.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/delivery-state.ts";
import type { DeliveryRef } from "../../outbox/model/journal-types.ts";
import { type Acted, NOT_FOUND } from "../../outbox/operator/actions.ts";
import { deliveryIdOf } from "../../outbox/operator/sentences.ts";
import { type Answer, type BridgeHandlers, refuse } from "./handler.ts";
import { filterOf, pageOf } from "./search-filter.ts";
import { backlogFull, deliveryOf, foundOf, reachOf } from "./show.ts";

const LIMIT = 20;
const EXAMPLES = 10;

export const deliveries: BridgeHandlers<"deliveries"> = {
  search: async ({ env }, given) => {
    const found = await callObject(() => outboxOf(env).searchDeliveries(filterOf(given), pageOf(given, LIMIT)));
    return { body: { data: found.deliveries.map(foundOf), ...reachOf(found) } };
  },
  causes: async ({ env }, { cursor }) => {
    const { causes, ...reach } = await callObject(() => outboxOf(env).causes(cursor));
    const data = causes.map(({ first, last, examples, ...rest }) => ({
      ...rest,
      first: isoOf(first),
      last: isoOf(last),
      examples: examples.map(deliveryIdOf),
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
