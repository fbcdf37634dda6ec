import * as z from "zod";
import { email } from "../../lib/contract/email.ts";
import { page, resourceId } from "../../lib/contract/fields.ts";
import { operation } from "../../lib/contract/operation.ts";
import { team, time } from "./fields.ts";

/** The states of a send, as its row has them. */
export const sendStates = [
  ...["queued", "sending", "sent", "delivered", "bounced", "complained", "not_sent", "failed", "unknown"],
] as const;

const state = z.enum(sendStates, `must be one of ${sendStates.join(", ")}`);
const mailClass = z.enum(["transactional", "marketing"], 'must be "transactional" or "marketing"');

/**
 * A send in a list. `meaning`: its state in words. `template`: the transactional email; null for other mail. Times are
 * ISO 8601.
 */
const send = z.object({
  id: z.string(),
  class: mailClass,
  to: z.string(),
  state,
  meaning: z.string(),
  preview: z.boolean(),
  template: z.object({ id: z.string(), name: z.string() }).nullable(),
  attempts: z.int(),
  acceptedAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  settledAt: z.string().nullable(),
});

/** Something that happened to a mail. `detail`: what was recorded of it, as it is. */
const step = z.object({
  at: z.string(),
  what: z.string(),
  text: z.string(),
  detail: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The whole story of one send. `suppressed`: the address as it is today. `canRetry`: a person may have it sent again; `whyNot`
 * says why not.
 */
const wholeSend = send.extend({
  messageId: z.string(),
  operation: z.string(),
  emailMessageId: z.string().nullable(),
  contentRevisionId: z.string(),
  sender: z.string().nullable(),
  reply: z.string().nullable(),
  suppressed: z.object({ since: z.string(), reason: z.string(), meaning: z.string() }).nullable(),
  canRetry: z.boolean(),
  whyNot: z.string().nullable(),
  story: z.array(step),
});

export const sends = {
  /**
   * Newest first. One request looks at a bounded number of sends: ask on with `next` while it is not null, even when `data` is
   * empty. `searchedTo`: the time of the oldest send that was looked at.
   */
  list: operation({
    method: "GET",
    path: "/teams/{team}/sends",
    summary: "Search a team's sends, newest first",
    request: z
      .object({
        ...{ team, to: email.optional(), state: state.optional(), class: mailClass.optional() },
        ...{ since: time.optional(), until: time.optional(), ...page },
      })
      .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
        path: ["until"],
        message: "must be later than since",
      }),
    response: z.object({
      data: z.array(send),
      next: z.string().nullable(),
      searchedTo: z.string().nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", to: "ada@example.com", state: "sent", perPage: "20" },
  }),

  get: operation({
    method: "GET",
    path: "/teams/{team}/sends/{sendId}",
    summary: "Show everything that happened to one send",
    request: z.object({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", sendId: "snd_1" },
  }),

  /** Only for a mail whose result is unknown, or that failed, and only while its values are stored. */
  retry: operation({
    method: "POST",
    path: "/teams/{team}/sends/{sendId}/retry",
    summary: "Send a mail again, with the same Message-ID, when a person asks for it",
    request: z.object({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", sendId: "snd_2" },
  }),
};
