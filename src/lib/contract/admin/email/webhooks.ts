import * as z from "zod";
import { page, paginated, resourceId } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { EVENT_TYPES } from "../../outgoing-events.ts";
import { done, flag, team, time } from "./email-fields.ts";

const url = z.string().max(2_000, "must be at most 2000 characters");
const description = z.string().max(500, "must be at most 500 characters");
const events = z
  .array(z.enum(EVENT_TYPES, `must be one of ${EVENT_TYPES.join(", ")}`))
  .transform((types) => [...new Set(types)]);

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  /** An empty list means all events. */
  events: z.array(z.string()),
  enabled: z.boolean(),
  /** `manual`: by the operator. `gone`: the endpoint answered 410. `failing`: it only failed for three days. */
  disabledReason: z.enum(["manual", "gone", "failing"]).nullable(),
  disabledAt: z.string().nullable(),
  /** First failure after the last success; null while the endpoint works. */
  failingSince: z.string().nullable(),
  notice: z.string().nullable(),
  /** Until then the previous secret signs too; null if there is none. */
  previousSecretUntil: z.string().nullable(),
  createdAt: z.string(),
});

const attempt = z.object({
  at: z.string(),
  ms: z.int(),
  status: z.int().optional(),
  response: z.string().optional(),
  error: z.string().optional(),
});

const STATES = ["waiting", "delivered", "failed", "discarded"] as const;

const notification = z.object({
  /** The `webhook-id`. */
  eventId: z.string(),
  type: z.string(),
  createdAt: z.string(),
  /** `waiting`: for an attempt. `discarded`: its person was erased. */
  state: z.enum(STATES),
  attempts: z.int(),
  nextAttemptAt: z.string().nullable(),
  /** The last 20, newest last. */
  lastAttempts: z.array(attempt),
});

const one = { team, webhookId: resourceId };

export const webhooks = {
  list: read("viewer", {
    path: "/teams/{team}/webhooks",
    summary: "List a team's outgoing webhooks",
    request: z.strictObject({ team }),
    response: z.object({ data: z.array(webhook) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  create: act("owner", {
    method: "POST",
    path: "/teams/{team}/webhooks",
    summary: "Add an outgoing webhook; its secret is shown once",
    danger: true,
    request: z.strictObject({ team, url, events: events.default([]), description: description.default("") }),
    response: webhook.extend({ secret: z.string() }),
    status: 201,
    refusals: [400, 404],
    example: { team: "acme", url: "https://app.example.com/webhooks", events: ["contact.created"] },
  }),

  get: read("viewer", {
    path: "/teams/{team}/webhooks/{webhookId}",
    summary: "Get an outgoing webhook with its notifications, or those in one state, newest event first",
    request: z.strictObject({
      ...one,
      ...page,
      state: z.enum(STATES, `must be one of ${STATES.join(", ")}`).optional(),
    }),
    response: paginated(notification).extend({ webhook: webhook.extend({ waiting: z.int() }) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", webhookId: "whk_1" },
  }),

  update: act("owner", {
    method: "POST",
    path: "/teams/{team}/webhooks/{webhookId}",
    summary: "Change, enable or disable an outgoing webhook, or rotate its secret; what is left out stays",
    /** A new secret, or a new recipient of personal data. */
    danger: ({ url, rotateSecret = false }) => url !== undefined || rotateSecret !== false,
    request: z
      .strictObject({
        ...one,
        url: url.optional(),
        events: events.optional(),
        description: description.optional(),
        enabled: flag.optional(),
        rotateSecret: flag.optional(),
      })
      .refine(({ team: _team, webhookId: _id, ...changes }) => Object.values(changes).some((v) => v !== undefined), {
        path: ["url"],
        message: "one of url, events, description, enabled and rotateSecret is required",
      }),
    response: webhook.extend({ secret: z.string().optional() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", webhookId: "whk_1", description: "CRM" },
  }),

  remove: act("owner", {
    method: "DELETE",
    path: "/teams/{team}/webhooks/{webhookId}",
    summary: "Delete an outgoing webhook; what waits for it is not delivered",
    danger: true,
    request: z.strictObject(one),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", webhookId: "whk_1" },
  }),

  /** Each event keeps its `webhook-id`. */
  replay: act("owner", {
    method: "POST",
    path: "/teams/{team}/webhooks/{webhookId}/replay",
    summary: "Deliver events again: those of a time span, or those that have failed",
    danger: false,
    dryRun: false,
    request: z
      .strictObject({
        ...one,
        since: time.optional(),
        until: time.optional(),
        failed: flag.default(false),
        dryRun: flag.default(false),
      })
      .refine(({ since, failed }) => since !== undefined || failed, {
        path: ["since"],
        message: "since or failed: true is required",
      })
      .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
        path: ["until"],
        message: "must be later than since",
      }),
    response: z.object({ success: z.literal(true), dryRun: z.boolean(), events: z.int() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", webhookId: "whk_1", failed: true, dryRun: true },
  }),

  test: act("owner", {
    method: "POST",
    path: "/teams/{team}/webhooks/{webhookId}/test",
    summary: "Post a test event to an outgoing webhook",
    danger: false,
    request: z.strictObject(one),
    response: z.object({ success: z.literal(true), eventId: z.string() }),
    status: 200,
    body: false,
    refusals: [400, 404],
    example: { team: "acme", webhookId: "whk_1" },
  }),
};
