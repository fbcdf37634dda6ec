import * as z from "zod";
import { resourceId } from "../../../fields.ts";
import { act, read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

const MOST = 50;

const ids = z
  .string()
  .max(5_500, "must be at most 5500 characters")
  .transform((text) => text.split(",").filter(Boolean))
  .refine((all) => all.length <= MOST, `must have at most ${MOST} ids`);

const kept = z.strictObject({ id: z.string(), keepDays: z.int(), oneTimeVariables: z.array(z.string()) });

const keepDays = z
  .int("must be a whole number of days")
  .min(0, "must not be negative")
  .max(30, "must be at most 30 days, after which the mail itself is deleted");

export const transactionalEmails = {
  /** `ids`: separated by commas. Unknown ids are left out. */
  counts: read("viewer", {
    path: "/teams/{team}/transactional-emails/counts",
    summary: "Count the mails of transactional emails",
    request: z.strictObject({ team, ids }),
    response: z.strictObject({
      data: z.array(z.strictObject({ id: z.string(), sends: z.int(), bounces: z.int(), spamReports: z.int() })),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", ids: "tpl_welcome,tpl_draft" },
  }),

  /** `oneTimeVariables`: variables that may let a person in, or work once. Mail with them is never kept. */
  kept: read("viewer", {
    path: "/teams/{team}/transactional-emails/{transactionalId}/kept-content",
    summary: "Show for how many days the content of a transactional email's mails is kept",
    request: z.strictObject({ team, transactionalId: resourceId }),
    response: kept,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", transactionalId: "tpl_receipt" },
  }),

  /** Days from acceptance; 0 erases values when a mail settles. Error: `one_time_mail`. */
  keep: act("owner", {
    method: "POST",
    path: "/teams/{team}/transactional-emails/{transactionalId}/kept-content",
    summary: "Keep the content of a transactional email's mails for some days, or no longer",
    danger: true,
    request: z.strictObject({ team, transactionalId: resourceId, keepDays }),
    response: kept,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", transactionalId: "tpl_cancellation", keepDays: 14 },
  }),
};
