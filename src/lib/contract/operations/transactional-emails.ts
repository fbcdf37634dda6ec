import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { operation } from "../operation.ts";

/**
 * A transactional email. `dataVariables`: names the published message needs; empty where there is none. `url`: its
 * address at this host, absolute.
 */
const transactionalEmail = z.object({
  id: z.string(),
  url: z.string(),
  name: z.string(),
  draftEmailMessageId: z.string().nullable(),
  publishedEmailMessageId: z.string().nullable(),
  transactionalGroupId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  dataVariables: z.array(z.string()),
});

/** The same with the revision of its draft. */
const withDraft = transactionalEmail.extend({ draftEmailMessageContentRevisionId: z.string().nullable() });

export const transactionalEmails = {
  /** Newest first: those that are published (default), those with a draft message, or all. */
  list: operation({
    method: "GET",
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

  /** One transactional email, published or not. */
  get: operation({
    method: "GET",
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
   * Counts of all its mails, previews left out. `sends`: mails that a relay took, or that bounced. `deliveries`: those of them
   * that did not bounce, as far as is known.
   */
  metrics: operation({
    method: "GET",
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

  /** Creates one with an empty draft message. */
  create: operation({
    method: "POST",
    path: "/transactional-emails",
    summary: "Create a transactional email",
    request: z.strictObject({ name: resourceName, transactionalGroupId: resourceId.optional() }),
    response: withDraft,
    status: 201,
    refusals: [400, 409],
    window: "content",
    idempotent: true,
    example: { name: "Order shipped" },
  }),

  /** Changes the given fields. */
  update: operation({
    method: "POST",
    path: "/transactional-emails/{transactionalId}",
    summary: "Update a transactional email",
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

  /** Its draft message; where there is none, a copy of the published message becomes the draft. */
  draft: operation({
    method: "POST",
    path: "/transactional-emails/{transactionalId}/draft",
    summary: "Get or create the draft of a transactional email",
    request: z.object({ transactionalId: resourceId }),
    response: withDraft,
    status: 200,
    refusals: [400, 404],
    window: "content",
    body: false,
    example: { transactionalId: "tpl_welcome" },
  }),

  /**
   * Publishes the draft: later sends use its content. 409 where there is no draft, 422 where it is not complete. Mail that
   * was accepted before keeps its content.
   */
  publish: operation({
    method: "POST",
    path: "/transactional-emails/{transactionalId}/publish",
    summary: "Publish the draft of a transactional email",
    request: z.object({ transactionalId: resourceId }),
    response: transactionalEmail,
    status: 200,
    refusals: [400, 404, 409, 422],
    window: "content",
    body: false,
    example: { transactionalId: "tpl_draft" },
  }),
};
