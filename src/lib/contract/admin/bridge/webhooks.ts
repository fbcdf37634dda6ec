import * as z from "zod";
import { operation } from "../../operation.ts";
import { action, count, reach, webhook, wholeWebhook } from "./answers.ts";
import { actions, cursor, flag, pageFields, searchFields, some, webhookFields, webhookId } from "./fields.ts";

const counts = z.record(z.string(), count);

const replayed = z.strictObject({
  dryRun: z.boolean(),
  actions: z.array(action),
  webhooks: count,
  notReplayable: counts,
  failed: z.array(z.strictObject({ webhook: z.string(), rule: z.string(), message: z.string() })),
  calls: count,
  byAction: counts,
  byRule: counts,
  notMade: counts,
  examples: z.array(
    z.strictObject({ webhook: z.string(), rule: z.string(), action, what: z.string(), whom: z.string() }),
  ),
  ...reach,
});
const replayFields = { dryRun: flag, actions };

export const webhooks = {
  search: operation({
    method: "GET",
    path: "/webhooks",
    summary: "Search webhooks, newest first",
    request: some({ ...searchFields, ...pageFields }),
    response: z.strictObject({ data: z.array(webhook), ...reach }),
    status: 200,
    refusals: [400],
    example: { state: "attention" },
  }),
  get: operation({
    method: "GET",
    path: "/webhooks/{webhookId}",
    summary: "Show one webhook with everything that happened to it",
    request: z.strictObject({ webhookId, body: flag.optional() }),
    response: wholeWebhook,
    status: 200,
    refusals: [400, 404],
    example: { webhookId: "wh_hocl2x0n80" },
  }),
  replay: operation({
    method: "POST",
    path: "/webhooks/{webhookId}/replay",
    summary: "Run today's rules on one stored webhook",
    request: z.strictObject({ webhookId, ...some(replayFields).shape }),
    response: replayed,
    status: 200,
    refusals: [400, 404],
    example: { webhookId: "wh_hocl2x0n80", dryRun: true },
  }),
  replayAll: operation({
    method: "POST",
    path: "/replay",
    summary: "Run today's rules on many stored webhooks, oldest first",
    request: some({ ...webhookFields, ...replayFields, cursor }),
    response: replayed,
    status: 200,
    refusals: [400],
    example: { source: "stripe", since: "7d", dryRun: true },
  }),
} as const;
