import * as z from "zod";
import { page, resourceId } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { emailMessage } from "../../operations/email-messages.ts";
import { team } from "./email-fields.ts";

const revision = z.object({
  id: z.string(),
  emailMessageId: z.string(),
  subject: z.string(),
  characters: z.int(),
  createdAt: z.string(),
  isCurrent: z.boolean(),
});

const message = { team, emailMessageId: resourceId };

export const revisions = {
  /** Newest first. `data` may be empty before the end. */
  list: read("viewer", {
    path: "/teams/{team}/email-messages/{emailMessageId}/revisions",
    summary: "List the revisions of an email message",
    request: z.strictObject({ ...message, ...page }),
    response: z.object({ data: z.array(revision), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emailMessageId: "msg_1", perPage: "20" },
  }),

  get: read("viewer", {
    path: "/teams/{team}/email-messages/{emailMessageId}/revisions/{revisionId}",
    summary: "Show a revision of an email message",
    request: z.strictObject({ ...message, revisionId: resourceId }),
    response: revision.extend({
      content: emailMessage.pick({
        subject: true,
        previewText: true,
        fromName: true,
        fromEmail: true,
        replyToEmail: true,
        ccEmail: true,
        bccEmail: true,
        languageCode: true,
        emailFormat: true,
        lmx: true,
        contactPropertiesFallbacks: true,
        eventPropertiesFallbacks: true,
        dataVariablesFallbacks: true,
      }),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emailMessageId: "msg_1", revisionId: "rev_1" },
  }),

  /**
   * Restores a revision as a new revision. Refused if `expectedRevisionId` is not current or the content has an
   * error.
   */
  restore: act("editor", {
    method: "POST",
    path: "/teams/{team}/email-messages/{emailMessageId}/restore",
    summary: "Restore a revision of an email message",
    danger: false,
    request: z.strictObject({ ...message, revisionId: resourceId, expectedRevisionId: resourceId.optional() }),
    response: emailMessage,
    status: 200,
    refusals: [400, 404, 409, 422],
    example: { team: "acme", emailMessageId: "msg_1", revisionId: "rev_1" },
  }),
};
