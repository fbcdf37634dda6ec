import * as z from "zod";
import { page, paginated, resourceId } from "../fields.ts";
import { act, read } from "../operation.ts";
import { audienceFilter } from "./filter.ts";

export const segmentName = z.string().trim().min(1, "must not be empty").max(255, "must be at most 255 characters");
export const segmentDescription = z.string().max(1_000, "must be at most 1000 characters").nullable();

/** An audience segment. `filter` is evaluated at each use; contacts are not stored. */
export const segment = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
    filter: audienceFilter,
  })
  .meta({ id: "AudienceSegment" });

export const audienceSegments = {
  /** Newest first. */
  list: read("viewer", {
    path: "/audience-segments",
    summary: "List audience segments",
    request: z.object(page),
    response: paginated(segment),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  /** 404 if a condition names an unknown campaign, workflow or workflow email. */
  create: act("editor", {
    method: "POST",
    path: "/audience-segments",
    summary: "Create an audience segment",
    danger: false,
    request: z.strictObject({ name: segmentName, description: segmentDescription.optional(), filter: audienceFilter }),
    response: segment,
    status: 200,
    refusals: [400, 404, 409],
    idempotent: true,
    example: {
      name: "Active in Europe",
      description: "Opened the app in the last 30 days",
      filter: {
        match: "all",
        conditions: [
          { type: "property", key: "userGroup", operator: "equals", value: "europe" },
          { type: "property", key: "updatedAt", operator: "after", value: "-P30D" },
        ],
      },
    },
  }),

  get: read("viewer", {
    path: "/audience-segments/{audienceSegmentId}",
    summary: "Get an audience segment",
    request: z.object({ audienceSegmentId: resourceId }),
    response: segment,
    status: 200,
    refusals: [400, 404],
    example: { audienceSegmentId: "seg_1" },
  }),
};
