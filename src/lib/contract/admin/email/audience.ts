import * as z from "zod";
import { audienceFilter } from "../../audience/filter.ts";
import { segment, segmentDescription, segmentName } from "../../audience/segments.ts";
import { resourceId } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { done, flag, team } from "./fields.ts";

/** Contacts that fail one condition only. `otherSpellings`: values that differ from that of the condition in case only. */
const nearMiss = z.object({
  path: z.string(),
  contacts: z.int(),
  otherSpellings: z.array(z.object({ value: z.string(), contacts: z.int() })),
  message: z.string(),
});

/**
 * How many contacts meet a segment and a filter. `exact`: they were all counted; otherwise `contacts` comes from a sample, and
 * the true number is between `low` and `high` in 95 of 100 cases. `total`: all contacts of the team, in the same way. `sampled`:
 * the contacts that near misses were found in. `next`: an exact count is not at its end; the same request with it as `cursor` goes on, and
 * looks for no near misses.
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
});

export const audience = {
  /** Takes effect when the segment is evaluated next. */
  updateSegment: operation({
    method: "POST",
    path: "/teams/{team}/audience-segments/{audienceSegmentId}",
    summary: "Change an audience segment; what is left out stays",
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

  /** The same that a deletion is refused with. A campaign that was sent does not need its segment any more. */
  usage: operation({
    method: "GET",
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

  removeSegment: operation({
    method: "DELETE",
    path: "/teams/{team}/audience-segments/{audienceSegmentId}",
    summary: "Delete an audience segment that nothing uses",
    request: z.strictObject({ team, audienceSegmentId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404, 409],
    example: { team: "acme", audienceSegmentId: "seg_2" },
  }),

  /**
   * With neither segment nor filter: all contacts. `exact`: counts every contact, also of a large team, 20,000 to 200,000 in a request; it is
   * counted when `next` is null. `cursor`: the `next` of the answer before.
   */
  estimate: operation({
    method: "POST",
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
