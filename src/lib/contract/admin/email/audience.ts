import * as z from "zod";
import { audienceFilter } from "../../audience/filter.ts";
import { segment, segmentDescription, segmentName } from "../../audience/segments.ts";
import { resourceId } from "../../fields.ts";
import { act, question, read } from "../../operation.ts";
import { done, flag, team } from "./email-fields.ts";

const nearMiss = z.object({
  path: z.string(),
  contacts: z.int(),
  otherSpellings: z.array(z.object({ value: z.string(), contacts: z.int() })),
  message: z.string(),
});

/** Hint about an audience that is probably not meant. */
export const audienceWarning = z.object({ code: z.string(), path: z.string(), message: z.string() });

/**
 * Estimated audience size. Unless `exact`, the true number lies between `low` and `high` in 95 of 100 cases. `next`:
 * cursor to continue an exact count.
 */
const estimated = z.object({
  contacts: z.int(),
  exact: z.boolean(),
  low: z.int(),
  high: z.int(),
  total: z.int(),
  next: z.string().nullable(),
  sampled: z.int(),
  nearMisses: z.array(nearMiss),
  warnings: z.array(audienceWarning),
});

export const audience = {
  updateSegment: act("editor", {
    method: "POST",
    path: "/teams/{team}/audience-segments/{audienceSegmentId}",
    summary: "Change an audience segment; what is left out stays",
    danger: false,
    request: z
      .strictObject({
        team,
        audienceSegmentId: resourceId,
        name: segmentName.optional(),
        description: segmentDescription.optional(),
        filter: audienceFilter.optional(),
      })
      .refine(
        ({ team: _team, audienceSegmentId: _id, ...changes }) => Object.values(changes).some((v) => v !== undefined),
        {
          path: ["name"],
          message: "one of name, description and filter is required",
        },
      ),
    response: segment,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", audienceSegmentId: "seg_1", name: "Europe" },
  }),

  usage: read("viewer", {
    path: "/teams/{team}/audience-segments/{audienceSegmentId}/usage",
    summary: "List what uses an audience segment, and so keeps it from being deleted",
    request: z.strictObject({ team, audienceSegmentId: resourceId }),
    response: z.object({
      data: z.array(z.object({ kind: z.enum(["campaign", "workflow"]), id: z.string(), name: z.string() })),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", audienceSegmentId: "seg_1" },
  }),

  removeSegment: act("editor", {
    method: "DELETE",
    path: "/teams/{team}/audience-segments/{audienceSegmentId}",
    summary: "Delete an audience segment that nothing uses",
    danger: true,
    request: z.strictObject({ team, audienceSegmentId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", audienceSegmentId: "seg_2" },
  }),

  /** `exact` counts every contact, 20,000 to 200,000 in one request. The count ends when `next` is null. */
  estimate: question("viewer", {
    path: "/teams/{team}/audience/estimate",
    summary: "Estimate how many contacts meet a segment and a filter",
    request: z.strictObject({
      team,
      audienceSegmentId: resourceId.nullable().optional(),
      filter: audienceFilter.nullable().optional(),
      exact: flag.default(false),
      cursor: z.string().max(200).optional(),
    }),
    response: estimated,
    status: 200,
    refusals: [400, 404],
    example: {
      team: "acme",
      audienceSegmentId: "seg_1",
      filter: { match: "any", conditions: [{ type: "optIn", status: "accepted" }] },
    },
  }),
};
