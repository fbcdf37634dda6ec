import { outboxOf } from "../../env.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/delivery-state.ts";
import { type BridgeHandlers, webhookNotFound } from "./handler.ts";
import { replayAll, replayOne } from "./replay.ts";
import { filterOf, pageOf } from "./search-filter.ts";
import { reachOf, webhookOf, wholeOf } from "./show.ts";

const LIMIT = 20;

export const webhooks: BridgeHandlers<"webhooks"> = {
  search: async ({ env }, given) => {
    const found = await callObject(() => outboxOf(env).searchWebhooks(filterOf(given), pageOf(given, LIMIT)));
    return { body: { data: found.webhooks.map(webhookOf), ...reachOf(found) } };
  },
  get: async ({ env }, { webhookId, body = true }) => {
    const seq = seqOf(webhookId);
    const shown = seq === undefined ? null : await callObject(() => outboxOf(env).show(seq));
    return shown ? { body: wholeOf(shown, Date.now(), body) } : webhookNotFound;
  },
  replay: replayOne,
  replayAll,
};
