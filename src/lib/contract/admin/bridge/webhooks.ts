import * as z from "zod";
import { type Fields, isTrue } from "../../access.ts";
import { act, read } from "../../operation.ts";
import { action, count, reach, webhook, wholeWebhook } from "./answers.ts";
import { actions, cursor, flag, pageFields, searchFields, some, webhookFields, webhookId } from "./bridge-fields.ts";

const counts = z.record(z.string(), count);

const replayed = z.strictObject({
  dryRun: z.boolean(),
  actions: z.array(action),
  webhooks: count,
  notReplayable: counts,
  failed: z.array(z.strictObject({ webhook: z.string(), rule: z.string(), message: z.string() })),
  deliveries: count,
  byAction: counts,
  byRule: counts,
  notMade: counts,
  examples: z.array(
    z.strictObject({ webhook: z.string(), rule: z.string(), action, what: z.string(), whom: z.string() }),
  ),
  ...reach,
});
/** True for more than contact updates. A replay is a dry run by default. */
const makesMore = ({ dryRun, actions = "contact" }: Fields): boolean =>
  dryRun !== undefined && !isTrue(dryRun) && [actions].flat().join(",").trim() !== "contact";

const replayFields = { dryRun: flag, actions };

export const webhooks = {
  search: read("viewer", {
    path: "/webhooks",
    summary: "Search webhooks, newest first",
    request: some({ ...searchFields, ...pageFields }),
    response: z.strictObject({ data: z.array(webhook), ...reach }),
    status: 200,
    refusals: [400],
    example: { state: "attention" },
  }),
  get: read("viewer", {
    path: "/webhooks/{webhookId}",
    summary: "Show one webhook with everything that happened to it",
    /** The webhook body, which may contain personal data. The bridge may use any of several values. */
    part: {
      name: "body",
      needs: "support",
      when: ({ body = "" }) => [body].flat().some((one) => !/^(0|false)$/.test(String(one))),
    },
    request: z.strictObject({ webhookId, body: flag.optional() }),
    response: wholeWebhook,
    status: 200,
    refusals: [400, 404],
    example: { webhookId: "wh_hocl2x0n80" },
  }),
  replay: act("support", {
    method: "POST",
    path: "/webhooks/{webhookId}/replay",
    summary: "Run today's rules on one stored webhook",
    danger: makesMore,
    dryRun: true,
    request: z.strictObject({ webhookId, ...some(replayFields).shape }),
    response: replayed,
    status: 200,
    mayBeEmpty: true,
    refusals: [400, 404],
    example: { webhookId: "wh_hocl2x0n80", dryRun: true },
  }),
  replayAll: act("owner", {
    method: "POST",
    path: "/replay",
    summary: "Run today's rules on many stored webhooks, oldest first",
    danger: makesMore,
    dryRun: true,
    request: some({ ...webhookFields, ...replayFields, cursor }),
    response: replayed,
    status: 200,
    mayBeEmpty: true,
    refusals: [400],
    example: { source: "stripe", since: "7d", dryRun: true },
  }),
} as const;
