import * as z from "zod";
import { page, paginated } from "../fields.ts";
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
    request: z.object({ transactionalId: z.string().max(100, "must be at most 100 characters") }),
    response: transactionalEmail,
    status: 200,
    refusals: [400, 404],
    window: "content",
    example: { transactionalId: "tpl_welcome" },
  }),
};
