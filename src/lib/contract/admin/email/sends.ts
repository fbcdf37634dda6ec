import * as z from "zod";
import { email } from "../../email.ts";
import { page, resourceId } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { team, time } from "./email-fields.ts";

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
 * Times are ISO 8601. `subject`: as the message was written, null if its content was deleted. `openedAt`, `clickedAt`: the
 * first time by a person.
 */
export const send = z.object({
  id: z.string(),
  class: mailClass,
  to: z.string(),
  state,
  meaning: z.string(),
  preview: z.boolean(),
  template: named,
  campaign: named,
  workflow: named,
  subject: z.string().nullable(),
  attempts: z.int(),
  acceptedAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  settledAt: z.string().nullable(),
  openedAt: z.string().nullable(),
  clickedAt: z.string().nullable(),
});

const step = z.object({
  at: z.string(),
  what: z.string(),
  text: z.string(),
  detail: z.record(z.string(), z.unknown()).optional(),
});

const cause = z.object({
  kind: z.enum(["api", "test", "confirmation", "campaign", "workflow"]),
  id: z.string().nullable(),
  name: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  text: z.string(),
});

/** `code`: enhanced status code. */
const attemptAnswer = z.object({
  attempt: z.int(),
  at: z.string(),
  sender: z.string().nullable(),
  outcome: z.enum(["accepted", "deferred", "refused", "unknown"]),
  code: z.string().nullable(),
  answer: z.string().nullable(),
});

/** Rule of a mailbox provider that refused the mail. `url`: the provider's page about it. */
const mailboxRule = z.object({
  provider: z.string(),
  rule: z.string(),
  meaning: z.string(),
  cure: z.string(),
  url: z.string(),
});

/** `revisedAt`: null if its content was deleted. `suppressed`: current state of the address. */
const wholeSend = send.extend({
  messageId: z.string(),
  operation: z.string(),
  emailMessageId: z.string().nullable(),
  contentRevisionId: z.string(),
  revisedAt: z.string().nullable(),
  isNewestRevision: z.boolean(),
  cause,
  rule: mailboxRule.nullable(),
  sender: z.string().nullable(),
  reply: z.string().nullable(),
  suppressed: z.object({ since: z.string(), reason: z.string(), meaning: z.string() }).nullable(),
  canRetry: z.boolean(),
  whyNot: z.string().nullable(),
  answers: z.array(attemptAnswer),
  story: z.array(step),
});

/** `html`, `text`: null if the content was deleted. `keptUntil`: null, but for values that are kept longer. */
const content = z.object({
  id: z.string(),
  values: z.enum(["stored", "erased"]),
  keptUntil: z.string().nullable(),
  note: z.string().nullable(),
  attachments: z.int(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  html: z.string().nullable(),
  text: z.string().nullable(),
});

export const sends = {
  /** Newest first. `data` may be empty before the end. `subject`: words of it as the message was written, or with values that are kept. */
  list: read("viewer", {
    path: "/teams/{team}/sends",
    summary: "Search a team's sends, newest first",
    /** The words of a subject have the values of kept content, which `content` shows. */
    part: { name: "subject", needs: "support", when: ({ subject }) => subject !== undefined },
    request: z
      .strictObject({
        team,
        to: email.optional(),
        state: state.optional(),
        class: mailClass.optional(),
        template: resourceId.optional(),
        campaign: resourceId.optional(),
        workflow: resourceId.optional(),
        subject: z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters").optional(),
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
      rowsRead: z.int(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", to: "ada@example.com", state: "sent", perPage: "20" },
  }),

  get: read("viewer", {
    path: "/teams/{team}/sends/{sendId}",
    summary: "Show everything that happened to one send",
    request: z.strictObject({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", sendId: "snd_2s_4f7k1q" },
  }),

  /**
   * Shows the mail without tracking and private links. Values may be one-time links, so they disappear when the mail
   * is settled.
   */
  content: read("support", {
    path: "/teams/{team}/sends/{sendId}/content",
    summary: "Show a mail as it was sent: its headers, HTML and text",
    request: z.strictObject({ team, sendId: resourceId }),
    response: content,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", sendId: "snd_2s_4f7k1q" },
  }),

  /** Only for unknown or failed mails with stored values. */
  retry: act("owner", {
    method: "POST",
    path: "/teams/{team}/sends/{sendId}/retry",
    summary: "Send a mail again, with the same Message-ID, when a person asks for it",
    danger: true,
    request: z.strictObject({ team, sendId: resourceId }),
    response: wholeSend,
    status: 200,
    refusals: [400, 404, 409],
    body: false,
    example: { team: "acme", sendId: "snd_2t_8m2p0z" },
  }),
};
