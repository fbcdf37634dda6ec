import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { act, read } from "../operation.ts";

const transactionalEmail = z
  .object({
    id: z.string(),
    url: z.string(),
    name: z.string(),
    draftEmailMessageId: z.string().nullable(),
    publishedEmailMessageId: z.string().nullable(),
    transactionalGroupId: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
    dataVariables: z.array(z.string()),
  })
  .meta({ id: "TransactionalEmail" });

const withDraft = transactionalEmail
  .extend({ draftEmailMessageContentRevisionId: z.string().nullable() })
  .meta({ id: "TransactionalEmailWithDraft" });

export const transactionalEmails = {
  /** Newest first: published ones (default), drafts, or all. */
  list: read("viewer", {
    path: "/transactional-emails",
    summary: "List transactional emails",
    request: z.object({
      ...page,
      status: z.enum(["all", "draft", "published"], 'must be "all", "draft" or "published"').optional(),
    }),
    response: paginated(transactionalEmail),
    status: 200,
    refusals: [400],
    window: "content",
    example: { status: "all" },
  }),

  get: read("viewer", {
    path: "/transactional-emails/{transactionalId}",
    summary: "Get a transactional email",
    request: z.object({ transactionalId: resourceId }),
    response: transactionalEmail,
    status: 200,
    refusals: [400, 404],
    window: "content",
    example: { transactionalId: "tpl_welcome" },
  }),

  /**
   * Counts without previews. `sends`: mails accepted by a mail provider or bounced. `deliveries`: sends without a
   * known bounce.
   */
  metrics: read("viewer", {
    path: "/transactional-emails/{transactionalId}/metrics",
    summary: "Get the metrics of a transactional email",
    request: z.object({ transactionalId: resourceId }),
    response: z.object({
      sends: z.int(),
      deliveries: z.int(),
      spamReports: z.int(),
      hardBounces: z.int(),
      softBounces: z.int(),
    }),
    status: 200,
    refusals: [400, 404],
    window: "content",
    example: { transactionalId: "tpl_welcome" },
  }),

  create: act("editor", {
    method: "POST",
    path: "/transactional-emails",
    summary: "Create a transactional email",
    danger: false,
    request: z.strictObject({ name: resourceName, transactionalGroupId: resourceId.optional() }),
    response: withDraft,
    status: 201,
    refusals: [400, 404, 409],
    window: "content",
    idempotent: true,
    example: { name: "Order shipped" },
  }),

  update: act("editor", {
    method: "POST",
    path: "/transactional-emails/{transactionalId}",
    summary: "Update a transactional email",
    danger: false,
    request: z
      .strictObject({
        transactionalId: resourceId,
        name: resourceName.optional(),
        transactionalGroupId: resourceId.optional(),
      })
      .refine(({ name, transactionalGroupId }) => name !== undefined || transactionalGroupId !== undefined, {
        path: ["name"],
        message: "name or transactionalGroupId is required.",
      }),
    response: transactionalEmail,
    status: 200,
    refusals: [400, 404],
    window: "content",
    example: { transactionalId: "tpl_welcome", name: "Welcome on board" },
  }),

  /** Returns the draft; if there is none, copies the published message. */
  draft: act("editor", {
    method: "POST",
    path: "/transactional-emails/{transactionalId}/draft",
    summary: "Get or create the draft of a transactional email",
    danger: false,
    request: z.object({ transactionalId: resourceId }),
    response: withDraft,
    status: 200,
    refusals: [400, 404],
    window: "content",
    body: false,
    example: { transactionalId: "tpl_welcome" },
  }),

  /** Publishes the draft for later sends. 409 without a draft, 422 if incomplete. Accepted mail keeps its content. */
  publish: act("editor", {
    method: "POST",
    path: "/transactional-emails/{transactionalId}/publish",
    summary: "Publish the draft of a transactional email",
    danger: false,
    request: z.object({ transactionalId: resourceId }),
    response: transactionalEmail,
    status: 200,
    refusals: [400, 404, 409, 422],
    window: "content",
    body: false,
    example: { transactionalId: "tpl_draft" },
  }),
};
