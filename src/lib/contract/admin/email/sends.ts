import * as z from "zod";
import { email } from "../../email.ts";
import { page, resourceId } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { team, time } from "./fields.ts";

/** The states of a send, as its row has them. */
export const sendStates = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "bounced",
  "complained",
  "not_sent",
  "failed",
  "unknown",
] as const;

const state = z.enum(sendStates, `must be one of ${sendStates.join(", ")}`);
const mailClass = z.enum(["transactional", "marketing"], 'must be "transactional" or "marketing"');

const named = z.object({ id: z.string(), name: z.string() }).nullable();

/**
 * A send in a list. `meaning`: its state in words. `template`, `campaign`, `workflow`: what sent it; null for other mail. Times are
 * ISO 8601.
 */
const send = z.object({
  id: z.string(),
  class: mailClass,
  to: z.string(),
  state,
  meaning: z.string(),
  preview: z.boolean(),
  template: named,
  campaign: named,
  workflow: named,
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
 * What caused a mail. `id`, `name`: of its campaign, workflow or transactional email; null where it is not known any more. `idempotencyKey`: of
 * the request.
 */
const cause = z.object({
  kind: z.enum(["api", "test", "confirmation", "campaign", "workflow"]),
  id: z.string().nullable(),
  name: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  text: z.string(),
});

/** What was answered to an attempt. `code`: enhanced status code. `answer`: the words of the mail server, as they are. */
const attemptAnswer = z.object({
  attempt: z.int(),
  at: z.string(),
  sender: z.string().nullable(),
  outcome: z.enum(["accepted", "deferred", "refused", "unknown"]),
  code: z.string().nullable(),
  answer: z.string().nullable(),
});

/**
 * The whole story of one send. `revisedAt`: when its content was made; null where it was deleted. `suppressed`: the address as it is today. `canRetry`: a person may have it sent again; `whyNot`
 * says why not.
 */
const wholeSend = send.extend({
  messageId: z.string(),
  operation: z.string(),
  emailMessageId: z.string().nullable(),
  contentRevisionId: z.string(),
  revisedAt: z.string().nullable(),
  isNewestRevision: z.boolean(),
  cause,
  sender: z.string().nullable(),
  reply: z.string().nullable(),
  suppressed: z.object({ since: z.string(), reason: z.string(), meaning: z.string() }).nullable(),
  canRetry: z.boolean(),
  whyNot: z.string().nullable(),
  answers: z.array(attemptAnswer),
  story: z.array(step),
});

/**
 * A mail as it was sent. `values`: whether those of this mail are stored; in the place of an erased one is its name. `note`: what is not as it
 * was sent, in words. `attachments`: how many it had. `html`, `text`: null where the content was deleted.
 */
const content = z.object({
  id: z.string(),
  values: z.enum(["stored", "erased"]),
  note: z.string().nullable(),
  attachments: z.int(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  html: z.string().nullable(),
  text: z.string().nullable(),
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
      .strictObject({
        team,
        to: email.optional(),
        state: state.optional(),
        class: mailClass.optional(),
        template: resourceId.optional(),
        campaign: resourceId.optional(),
        workflow: resourceId.optional(),
        since: time.optional(),
        until: time.optional(),
        ...page,
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
    request: z.strictObject({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", sendId: "snd_1" },
  }),

  /**
   * Has no picture that tracks, and links lead where they say; those of the recipient alone are left out. Only this answer has the values of
   * a mail, and only until it is settled: they may be a one-time link.
   */
  content: operation({
    method: "GET",
    path: "/teams/{team}/sends/{sendId}/content",
    summary: "Show a mail as it was sent: its headers, HTML and text",
    request: z.strictObject({ team, sendId: resourceId }),
    response: content,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", sendId: "snd_1" },
  }),

  /** Only for a mail whose result is unknown, or that failed, and only while its values are stored. */
  retry: operation({
    method: "POST",
    path: "/teams/{team}/sends/{sendId}/retry",
    summary: "Send a mail again, with the same Message-ID, when a person asks for it",
    request: z.strictObject({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", sendId: "snd_2" },
  }),
};
