import * as z from "zod";
import { isFew, isNoDryRun, isTrue } from "../../../access.ts";
import { audienceFilter } from "../../../audience/filter.ts";
import { progress } from "../../../campaigns/operations.ts";
import { page, paginated, resourceId } from "../../../fields.ts";
import { act, question, read } from "../../../operation.ts";
import { audienceWarning } from "../audience.ts";
import { done, flag, team } from "../email-fields.ts";
import { wave } from "../waves.ts";

const status = z.enum(["Draft", "Scheduled", "Sending", "Sent"], "must be Draft, Scheduled, Sending or Sent");

const time = z.string().nullable();

/** `scheduledFor`: null if sending begins at once. `progress`: null before sending. */
const campaign = z.object({
  id: z.string(),
  name: z.string(),
  status,
  scheduledFor: time,
  progress: progress.nullable(),
});

/** `path`: null for a problem of the team. */
const problem = z.object({ code: z.string(), path: z.string().nullable(), message: z.string() });

/** `exact`: all were counted, at most ten minutes ago. Otherwise the number comes from a sample. */
const recipients = z.object({ estimate: z.int(), exact: z.boolean() });

const counts = z.record(z.string(), z.int());

/** `leftOut`: mails not sent again, by reason; mails are kept for 30 days. */
const retry = z.object({
  askedAt: z.string(),
  unknown: z.int(),
  retried: z.int(),
  leftOut: counts,
  done: z.boolean(),
  stopped: z.boolean(),
});

const one = z.strictObject({ team, campaignId: resourceId });
const path = (rest: string) => `/teams/{team}/campaigns/{campaignId}${rest}` as const;

/** The number of recipients that a person confirmed. It may differ by 1 %. */
const expected = z.int("must be a whole number").min(0, "must not be negative");

/** Above it, the campaign is held at its start. */
const maxRecipients = z.int("must be a whole number").min(0, "must not be negative");

/** Counts of the results of a campaign; null before its start. */
const counted = z
  .object({
    sent: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    opened: z.int(),
    clicked: z.int(),
    unsubscribed: z.int(),
    complained: z.int(),
  })
  .nullable();

const audience = z.strictObject({
  mailingListId: resourceId.nullable().default(null),
  audienceSegmentId: resourceId.nullable().default(null),
  audienceFilter: audienceFilter.nullable().default(null),
});

const delay = z
  .int("must be a whole number of seconds")
  .min(0, "must not be negative")
  .max(300, "must be at most 300 seconds");

const ofOne = { method: "POST", request: one, status: 200, refusals: [400, 404, 409], body: false } as const;

export const control = {
  list: read("viewer", {
    path: "/teams/{team}/campaigns",
    summary: "List campaigns with their status and their counts, newest first",
    request: z.strictObject({ team, status: status.optional(), ...page }),
    response: paginated(campaign.extend({ results: counted, createdAt: z.string(), updatedAt: z.string() })),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", status: "Draft", perPage: "20" },
  }),

  /**
   * Copies a campaign in any state. With `to`, it goes to the people who got the campaign and did not open it
   * or click in it. Errors: `campaign_not_sent`.
   */
  duplicate: act("editor", {
    method: "POST",
    path: path("/duplicate"),
    summary: "Make a draft with the message of a campaign, for its audience or for those who did not open it",
    danger: false,
    request: one.extend({
      to: z.enum(["notOpened", "notClicked"], 'must be "notOpened" or "notClicked"').optional(),
    }),
    response: campaign,
    status: 201,
    refusals: [400, 404, 409],
    mayBeEmpty: true,
    example: { team: "acme", campaignId: "cmp_5" },
  }),

  /** Only an unsent draft can be removed. Errors: `campaign_not_draft`, or `campaign_in_use` with `users`. */
  remove: act("editor", {
    method: "DELETE",
    path: path(""),
    summary: "Delete a draft of a campaign with its message",
    danger: true,
    request: one,
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", campaignId: "cmp_6" },
  }),

  /**
   * Starts or schedules a campaign. `delaySeconds`: delay before sending "now", in which it can be unscheduled.
   * `maxRecipients`: of its start; with more it is held. Default: 10 % above `expected` if it has a time of its own, else
   * 1 %. The answer has it, or null if it starts at once. `problems`: filled only by a dry run.
   */
  send: act("editor", {
    method: "POST",
    path: path("/send"),
    summary: "Send or schedule a campaign, or say everything that it lacks",
    danger: ({ expected, maxRecipients, ...others }) =>
      isNoDryRun(others) && !(isFew(expected) && isFew(maxRecipients ?? 0)),
    dryRun: false,
    part: { name: "dryRun", needs: "viewer", when: ({ dryRun }) => isTrue(dryRun) },
    request: z
      .strictObject({
        team,
        campaignId: resourceId,
        expected: expected.optional(),
        maxRecipients: maxRecipients.optional(),
        delaySeconds: delay.optional(),
        dryRun: flag.default(false),
      })
      .refine(({ expected, dryRun }) => dryRun || expected !== undefined, {
        path: ["expected"],
        message: "is required: the number of recipients that POST …/estimate gives. A dry run may leave it out",
      })
      .refine(({ expected = 0, maxRecipients = expected }) => maxRecipients >= expected, {
        path: ["maxRecipients"],
        message: "must not be below expected",
      }),
    response: z.object({
      id: z.string(),
      status,
      scheduledFor: time,
      recipients,
      maxRecipients: z.int().nullable(),
      problems: z.array(problem),
      warnings: z.array(problem),
    }),
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", campaignId: "cmp_2", dryRun: true },
  }),

  unschedule: act("editor", {
    ...ofOne,
    path: path("/unschedule"),
    summary: "Make a scheduled campaign, or one that was held at its start and has sent nothing, a draft again",
    danger: false,
    response: campaign,
    example: { team: "acme", campaignId: "cmp_3" },
  }),

  pause: act("editor", {
    ...ofOne,
    path: path("/pause"),
    summary: "Pause a campaign that is sending",
    danger: false,
    response: campaign,
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  /**
   * `expected` is required after `more_recipients`. After `late` or `not_ready` it replaces the number confirmed
   * before; otherwise it is refused.
   */
  resume: act("editor", {
    method: "POST",
    path: path("/resume"),
    summary: "Resume a campaign that is paused or held",
    danger: ({ expected }) => !isFew(expected ?? 0),
    request: one.extend({ expected: expected.optional() }),
    response: campaign,
    status: 200,
    refusals: [400, 404, 409],
    mayBeEmpty: true,
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  cancel: act("editor", {
    ...ofOne,
    path: path("/cancel"),
    summary: "Cancel a campaign for good: recipients that have no mail yet get none",
    danger: true,
    response: campaign,
    example: { team: "acme", campaignId: "cmp_5" },
  }),

  /**
   * Sends mails with an unknown outcome again; some recipients may get the mail twice. Refused with `campaign_busy`
   * while recipients of an undone start are deleted.
   */
  retryUnknown: act("owner", {
    ...ofOne,
    path: path("/retry-unknown"),
    summary: "Send the mails of a campaign again whose outcome is unknown",
    danger: true,
    response: z.object({ id: z.string(), retry: retry.nullable() }),
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  /**
   * Unless `exact`, the number lies between `low` and `high` in 95 of 100 cases. Repeat with `next` as `cursor` until
   * `exact` is true. 409: the audience was edited meanwhile. `dayRows`: with a ceiling of rows a day; rows that the
   * campaign needs, that are left for campaigns on this UTC day, and the days until its end.
   */
  estimate: question("viewer", {
    path: path("/estimate"),
    summary: "Estimate who would get a campaign now, and who would not",
    /** The exact number, which sending needs. */
    part: {
      name: "exact",
      needs: "editor",
      when: ({ exact = false, cursor }) => exact !== false || cursor !== undefined,
    },
    request: z.strictObject({
      team,
      campaignId: resourceId,
      exact: flag.default(false),
      audience: audience.optional(),
      cursor: z.string().max(1_000).optional(),
    }),
    response: z.object({
      recipients: z.int(),
      exact: z.boolean(),
      low: z.int(),
      high: z.int(),
      matching: z.int(),
      excluded: counts,
      total: z.int(),
      next: z.string().nullable(),
      dayRows: z.object({ needed: z.int(), left: z.int(), days: z.int() }).optional(),
      obstacles: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
      warnings: z.array(audienceWarning).optional(),
    }),
    status: 200,
    refusals: [400, 404, 409],
    mayBeEmpty: true,
    example: { team: "acme", campaignId: "cmp_2" },
  }),

  /**
   * `inLedger` is included in `progress.queued`. `waiting`: reasons for the wait. `confirmed`: recipients that a person
   * confirmed for a later start; with more than `maxRecipients` it is held. `unconfirmed`: set only if held for that. `wave`: set while its bounces wait for a decision.
   */
  status: read("viewer", {
    path: path("/status"),
    summary: "Show how far a campaign is, and what keeps it waiting",
    request: one,
    response: campaign.extend({
      inLedger: z.int(),
      waiting: z.array(z.object({ code: z.string(), message: z.string() })),
      confirmed: z.int().nullable(),
      maxRecipients: z.int().nullable(),
      unconfirmed: z.object({ recipients: z.int(), confirmed: z.int(), maxRecipients: z.int() }).nullable(),
      wave: wave.nullable(),
      retry: retry.nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", campaignId: "cmp_4" },
  }),
};
