import * as z from "zod";
import { email } from "../../../email.ts";
import { page } from "../../../fields.ts";
import { SUPPRESSION_REASONS } from "../../../import-choices.ts";
import { act, read } from "../../../operation.ts";
import { done, team } from "../email-fields.ts";

const reason = z.enum(SUPPRESSION_REASONS, `must be one of ${SUPPRESSION_REASONS.join(", ")}`);

/** `email`: in lower case. `sendId`: the mail that bounced or got a complaint. */
const suppression = z.strictObject({
  email: z.string(),
  reason,
  meaning: z.string(),
  since: z.string(),
  sendId: z.string().nullable(),
});

export const suppressionFilters = {
  /** Prefix of an address. */
  q: z.string().trim().max(254, "must be at most 254 characters").optional(),
  reason: reason.optional(),
};

export const suppressions = {
  /** Ordered by address. `data` may be empty before the end. */
  list: read("viewer", {
    path: "/teams/{team}/suppressions",
    summary: "List suppressed addresses",
    request: z.strictObject({ team, ...suppressionFilters, ...page }),
    response: z.object({ data: z.array(suppression), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", reason: "bounce", perPage: "20" },
  }),

  /** The address need not belong to a contact. */
  add: act("support", {
    method: "POST",
    path: "/teams/{team}/suppressions",
    summary: "Suppress an address: no mail is sent to it",
    danger: false,
    request: z.strictObject({ team, email }),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", email: "ada@example.com" },
  }),

  /** Does not count against the team's quota of removals. */
  remove: act("support", {
    method: "DELETE",
    path: "/teams/{team}/suppressions",
    summary: "Remove the suppression of an address: mail is sent to it again",
    danger: false,
    request: z.strictObject({ team, email }),
    response: done,
    status: 200,
    refusals: [400, 404],
    body: true,
    example: { team: "acme", email: "bob@example.com" },
  }),
};
