import * as z from "zod";
import { isNoDryRun, isTrue } from "../../../access.ts";
import { email } from "../../../email.ts";
import { page } from "../../../fields.ts";
import { SUPPRESSION_REASONS } from "../../../import-choices.ts";
import { act, read } from "../../../operation.ts";
import { done, flag, team, time } from "../email-fields.ts";

const reason = z.enum(SUPPRESSION_REASONS, `must be one of ${SUPPRESSION_REASONS.join(", ")}`);

/** `email`: in lower case. `sendId`: the mail that bounced or got a complaint. `cause`: words of the bounce, without addresses. */
const suppression = z.strictObject({
  email: z.string(),
  reason,
  meaning: z.string(),
  since: z.string(),
  cause: z.string().nullable(),
  sendId: z.string().nullable(),
});

export const suppressionFilters = {
  /** Prefix of an address. */
  q: z.string().trim().max(254, "must be at most 254 characters").optional(),
  reason: reason.optional(),
  /** Part of the words of a bounce. */
  cause: z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters").optional(),
  /** The domain, or the large provider, of the address. */
  destination: z.string().trim().min(1, "must not be empty").max(254, "must be at most 254 characters").optional(),
  since: time.optional(),
  until: time.optional(),
};

const liftRequest = z
  .strictObject({ team, ...suppressionFilters, dryRun: flag.default(false), cursor: z.string().max(1_000).optional() })
  .refine(
    ({ q, reason, cause, destination, since, until }) =>
      [q === "" ? undefined : q, reason, cause, destination, since, until].some((filter) => filter !== undefined),
    { path: ["cause"], message: "give at least one of q, reason, cause, destination, since and until" },
  )
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    path: ["until"],
    message: "must not be before since",
  });

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

  /** Each answer is about one slice: go on with `next` as `cursor` until it is null. Does not count against the quota. */
  lift: act("editor", {
    method: "POST",
    path: "/teams/{team}/suppressions/lift",
    summary: "Remove the suppressions that fit all filters, or only count them",
    danger: isNoDryRun,
    dryRun: false,
    part: { name: "dryRun", needs: "viewer", when: ({ dryRun }) => isTrue(dryRun) },
    request: liftRequest,
    response: z.object({ dryRun: z.boolean(), lifted: z.int(), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", reason: "bounce", cause: "too many recipients", since: "2026-01-31", dryRun: true },
  }),
};
