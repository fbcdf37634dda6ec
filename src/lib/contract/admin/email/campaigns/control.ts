import * as z from "zod";
import { audienceFilter } from "../../../audience/filter.ts";
import { delivery } from "../../../campaigns/operations.ts";
import { page, paginated, resourceId } from "../../../fields.ts";
import { operation } from "../../../operation.ts";
import { done, flag, team } from "../fields.ts";

const status = z.enum(["Draft", "Scheduled", "Sending", "Sent"], "must be Draft, Scheduled, Sending or Sent");

const time = z.string().nullable();

/** `scheduledFor`: when its sending begins; null where it begins with its launch. `delivery`: as the v1 API shows it; null before the launch. */
const campaign = z.object({
  id: z.string(),
  name: z.string(),
  status,
  scheduledFor: time,
  delivery: delivery.nullable(),
});

/**
 * Why a campaign cannot be launched, or what its author may have missed. `path`: the field of the campaign, or "emailMessage" with a
 * field of its message; null where it is about the team.
 */
const problem = z.object({ code: z.string(), path: z.string().nullable(), message: z.string() });

/** How many recipients would get the campaign now. `exact`: they were all counted, at most ten minutes ago; otherwise the number comes from a sample. */
const recipients = z.object({ estimate: z.int(), exact: z.boolean() });

const counts = z.record(z.string(), z.int());

/**
 * Mails that a person had sent again because their outcome was unknown. `unknown`: how many there were then. `retried`: those that are sent again
 * until now. `leftOut`: those that are not, by reason: contact_deleted, mail_deleted (mails are kept for 30 days), unsubscribed, not_confirmed,
 * not_on_list, suppressed, no_email. `done`: all were looked at. `stopped`: the campaign was cancelled before that. Mails that got a result meanwhile are
 * in neither number.
 */
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

/** The number of recipients that a person has seen and confirmed. It may differ by 1 %. */
const expected = z.int("must be a whole number").min(0, "must not be negative");

/** An audience as a campaign has it. What is left out is none. */
const audience = z.strictObject({
  mailingListId: resourceId.nullable().default(null),
  audienceSegmentId: resourceId.nullable().default(null),
  audienceFilter: audienceFilter.nullable().default(null),
});

const delay = z
  .int("must be a whole number of seconds")
  .min(0, "must not be negative")
  .max(300, "must be at most 300 seconds");

/** An operation on one campaign without fields. */
const act = { method: "POST", request: one, status: 200, refusals: [400, 404, 409], body: false } as const;

export const control = {
  list: operation({
    method: "GET",
    path: "/teams/{team}/campaigns",
    summary: "List campaigns with their status and their counts, newest first",
    request: z.strictObject({ team, status: status.optional(), ...page }),
    response: paginated(campaign.extend({ createdAt: z.string(), updatedAt: z.string() })),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", status: "Draft", perPage: "20" },
  }),

  /**
   * Makes a draft with the message, the audience and the group of a campaign in any state, and no time. Its name is that of the campaign with
   * " (copy)".
   */
  duplicate: operation({
    ...act,
    status: 201,
    path: path("/duplicate"),
    summary: "Make a draft with the message and the audience of a campaign",
    response: campaign,
    example: { team: "acme", campaignId: "cmp_5" },
  }),

  /** Only a draft, of which nothing was sent: `campaign_not_draft` otherwise. One that a filter asks about is `campaign_in_use`, with `users`. */
  remove: operation({
    method: "DELETE",
    path: path(""),
    summary: "Delete a draft of a campaign with its message",
    request: one,
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", campaignId: "cmp_6" },
  }),

  /**
   * Starts a campaign now, or schedules it, as its field `scheduling` says. `expected`: the number of recipients that a person has seen
   * and confirmed; it may differ by 1 %. `delaySeconds`: how long a campaign of the method "now" waits before it begins, scheduled, so that an
   * unschedule takes the launch back; one that has a time of its own begins then. `problems`: filled by a dry run only. Otherwise they are in the refusal.
   */
  launch: operation({
    method: "POST",
    path: path("/launch"),
    summary: "Launch a campaign, or say everything that it lacks",
    request: z
      .strictObject({
        team,
        campaignId: resourceId,
        expected: expected.optional(),
        delaySeconds: delay.optional(),
        dryRun: flag.default(false),
      })
      .refine(({ expected, dryRun }) => dryRun || expected !== undefined, {
        path: ["expected"],
        message: "is required: the number of recipients that POST …/estimate gives. A dry run may leave it out",
      }),
    response: z.object({
      id: z.string(),
      status,
      scheduledFor: time,
      recipients,
      problems: z.array(problem),
      warnings: z.array(problem),
    }),
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", campaignId: "cmp_2", dryRun: true },
  }),

  unschedule: operation({
    ...act,
    path: path("/unschedule"),
    summary: "Make a scheduled campaign, or one that was held at its start and has sent nothing, a draft again",
    response: campaign,
    example: { team: "acme", campaignId: "cmp_3" },
  }),

  pause: operation({
    ...act,
    path: path("/pause"),
    summary: "Pause a campaign that is sending",
    response: campaign,
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  /**
   * `expected`: needed where it is held for `more_recipients`. Where it is held and has not begun (`late`, `not_ready`), it takes the place of the number
   * confirmed at its launch: with more recipients than that at its start, it is held again. Elsewhere the recipients are fixed, and it is refused.
   */
  resume: operation({
    method: "POST",
    path: path("/resume"),
    summary: "Resume a campaign that is paused or held",
    request: one.extend({ expected: expected.optional() }),
    response: campaign,
    status: 200,
    refusals: [400, 404, 409],
    mayBeEmpty: true,
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  cancel: operation({
    ...act,
    path: path("/cancel"),
    summary: "Cancel a campaign for good: recipients that have no mail yet get none",
    response: campaign,
    example: { team: "acme", campaignId: "cmp_5" },
  }),

  /**
   * Begins to send them again, one after the other: the status has its progress. Some recipients may get the mail twice. While one goes on,
   * another request changes nothing. `retry`: null where no outcome is unknown. `campaign_busy` while recipients of a start that was taken back are
   * deleted.
   */
  retryUnknown: operation({
    ...act,
    path: path("/retry-unknown"),
    summary: "Send the mails of a campaign again whose outcome is unknown",
    response: z.object({ id: z.string(), retry: retry.nullable() }),
    example: { team: "acme", campaignId: "cmp_4" },
  }),

  /**
   * Who would get the campaign now. `exact`, of the request: counts every contact, also of a large team; of the answer: they were all
   * counted. Otherwise the numbers come from a sample, and the true number of `recipients` is between `low` and `high` in 95 of 100
   * cases. `matching`: contacts that meet its segment and filter, which is `recipients` and those `excluded`, by reason:
   * not_on_list, unsubscribed, not_confirmed, suppressed, no_email, missing_variables (it has no value of a variable without a fallback).
   * `total`: all contacts of the team. `audience`: counted in the place of that of the campaign, to see who would get it before it is changed.
   *
   * An exact count of a large team takes several requests, each of about 100 ms: ask on with `next` as `cursor` until `exact` is true. Until then the
   * numbers are what the contacts until now let expect, and `recipients` is surely between `low` and `high`. 409 where the audience was edited
   * meanwhile.
   */
  estimate: operation({
    method: "POST",
    path: path("/estimate"),
    summary: "Estimate who would get a campaign now, and who would not",
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
    }),
    status: 200,
    refusals: [400, 404, 409],
    mayBeEmpty: true,
    example: { team: "acme", campaignId: "cmp_2" },
  }),

  /**
   * `inLedger`: recipients whose mail waits to be sent; `delivery.queued` counts them too. `waiting`: what keeps all or some of its
   * mails from leaving now, also while others leave; empty where nothing does. The results have the reasons of skipped and failed recipients.
   * `unconfirmed`: of a campaign that is held for `more_recipients`, the recipients that a resume has to confirm, and those that were
   * confirmed at the launch; else null. `retry`: the newest one of unknown mails; null where there is none.
   */
  status: operation({
    method: "GET",
    path: path("/status"),
    summary: "Show how far a campaign is, and what keeps it waiting",
    request: one,
    response: campaign.extend({
      inLedger: z.int(),
      waiting: z.array(z.object({ code: z.string(), message: z.string() })),
      unconfirmed: z.object({ recipients: z.int(), confirmed: z.int() }).nullable(),
      retry: retry.nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", campaignId: "cmp_4" },
  }),
};
