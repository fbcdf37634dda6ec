import * as z from "zod";
import { read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

const MOST = 50;

const ids = z
  .string()
  .max(5_500, "must be at most 5500 characters")
  .transform((text) => text.split(",").filter(Boolean))
  .refine((all) => all.length <= MOST, `must have at most ${MOST} ids`);

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
};
