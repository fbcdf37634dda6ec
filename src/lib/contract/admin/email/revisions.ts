import * as z from "zod";
import { page, resourceId } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { emailMessage } from "../../operations/email-messages.ts";
import { team } from "./fields.ts";

/**
 * A revision in a list. `emailMessageId`: of the message that it was made for: a transactional email has another one for each draft.
 * `characters`: length of its LMX. `isCurrent`: the message has this content now.
 */
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
  /**
   * Revisions of a message, newest first; for a draft of a transactional email those of its earlier messages too. A change of a theme or
   * component makes none. One request looks at a bounded number of the team's revisions: ask on with `next` while it is not null, even when
   * `data` is empty.
   */
  list: operation({
    method: "GET",
    path: "/teams/{team}/email-messages/{emailMessageId}/revisions",
    summary: "List the revisions of an email message",
    request: z.strictObject({ ...message, ...page }),
    response: z.object({ data: z.array(revision), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", emailMessageId: "msg_1", perPage: "20" },
  }),

  /** The fields of a message as they were in a revision. */
  get: operation({
    method: "GET",
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
   * Gives a message the content of a revision, as an edit would: it makes a new revision, and nothing is lost. Refused as an edit is: with
   * `expectedRevisionId` while that is not the current revision, and where the content has an error today.
   */
  restore: operation({
    method: "POST",
    path: "/teams/{team}/email-messages/{emailMessageId}/restore",
    summary: "Restore a revision of an email message",
    request: z.strictObject({ ...message, revisionId: resourceId, expectedRevisionId: resourceId.optional() }),
    response: emailMessage,
    status: 200,
    refusals: [400, 404, 409, 422],
    example: { team: "acme", emailMessageId: "msg_1", revisionId: "rev_1" },
  }),
};
