import * as z from "zod";
import { audienceFilter } from "../audience/filter.ts";
import { emailMetrics, onOneLine, page, paginated, resourceId } from "../fields.ts";
import { act, read } from "../operation.ts";

const name = onOneLine(z.string().trim().min(1, "must not be empty").max(255, "must be at most 255 characters"));

/** `timestamp`: ISO 8601 or Unix milliseconds. */
const scheduling = z
  .strictObject({
    method: z.enum(["now", "schedule"], 'must be "now" or "schedule"'),
    timestamp: z
      .union([z.string(), z.number()], "must be a date: ISO 8601 or Unix milliseconds")
      .nullable()
      .optional()
      .describe("ISO 8601 or Unix milliseconds; required for `schedule`, not given or null for `now`"),
  })
  .superRefine(({ method, timestamp }, context) => {
    const add = (message: string) => context.addIssue({ code: "custom", path: ["timestamp"], message });
    const isGiven = timestamp !== undefined && timestamp !== null;
    if (method === "schedule" && !isGiven) add("is required");
    if (method === "now" && isGiven) add('must not be given for the method "now"');
  })
  .meta({ id: "CampaignSchedulingRequest" });

/**
 * Contacts on the list, in the segment and meeting the filter. Setting only one of segment and filter clears the
 * other.
 */
const audience = {
  mailingListId: resourceId.nullable().optional(),
  audienceSegmentId: resourceId.nullable().optional(),
  audienceFilter: audienceFilter.nullable().optional(),
};

const fields = { campaignGroupId: resourceId.optional(), ...audience, scheduling: scheduling.optional() };

/**
 * Progress of a campaign that was sent or scheduled. `perSecond`, `eta`: null while nothing is sent. Status is "Sending" while paused
 * or held, and "Sent" after a cancel.
 */
export const progress = z
  .object({
    state: z.enum(["snapshot", "sending", "paused", "held", "cancelled", "done"]),
    reason: z.string().optional(),
    recipients: z.int(),
    queued: z.int(),
    sent: z.int(),
    skipped: z.int(),
    failed: z.int(),
    unknown: z.int(),
    cancelled: z.int(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    perSecond: z.number().nullable(),
    eta: z.string().nullable(),
  })
  .meta({ id: "CampaignDelivery" });

const common = {
  id: z.string(),
  url: z.string(),
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  emailMessageId: z.string(),
  campaignGroupId: z.string(),
  mailingListId: z.string().nullable(),
  audienceSegmentId: z.string().nullable(),
  audienceFilter: audienceFilter.nullable(),
  scheduling: z
    .object({
      method: z.enum(["now", "schedule"]),
      timestamp: z.string().nullable().describe("null for `now`"),
    })
    .meta({ id: "CampaignScheduling" }),
};

const campaign = z
  .object({ ...common, status: z.enum(["Draft", "Scheduled", "Sending", "Sent"]), delivery: progress.optional() })
  .meta({ id: "Campaign" });

const created = z
  .object({ ...common, status: z.literal("Draft"), emailMessageContentRevisionId: z.string() })
  .meta({ id: "CreatedCampaign" });

const path = "/campaigns/{campaignId}";
const form = { fields: ["emailMessageId"] };
const content = { status: 200, window: "content" } as const;

export const campaigns = {
  /** Newest first. */
  list: read("viewer", {
    path: "/campaigns",
    summary: "List campaigns",
    request: z.object(page),
    response: paginated(campaign),
    ...content,
    refusals: [400],
    example: { perPage: "20" },
  }),

  /**
   * Creates a draft with an empty message, in "Unsorted" without `campaignGroupId`. Scheduling sends nothing: the
   * operator sends.
   */
  create: act("editor", {
    method: "POST",
    path: "/campaigns",
    summary: "Create a campaign",
    danger: false,
    request: z.strictObject({ name, ...fields }),
    response: created,
    form,
    ...content,
    status: 201,
    refusals: [400, 404, 409],
    idempotent: true,
    example: { name: "Spring sale", mailingListId: "lst_1", scheduling: { method: "now" } },
  }),

  get: read("viewer", {
    path,
    summary: "Get a campaign",
    request: z.object({ campaignId: resourceId }),
    response: campaign,
    form,
    ...content,
    refusals: [400, 404],
    example: { campaignId: "cmp_2" },
  }),

  /** Only a draft can change more than its name and group: else 409. */
  update: act("editor", {
    method: "POST",
    path,
    summary: "Update a campaign",
    danger: false,
    request: z
      .strictObject({ campaignId: resourceId, name: name.optional(), ...fields })
      .refine(
        ({ campaignId: _, ...given }) => Object.values(given).some((value) => value !== undefined),
        "Give at least one field to change.",
      )
      .meta({ minProperties: 1 }),
    response: campaign,
    form,
    ...content,
    refusals: [400, 404, 409],
    example: { campaignId: "cmp_2", name: "Spring sale, last days" },
  }),

  metrics: read("viewer", {
    path: `${path}/metrics`,
    summary: "Get the metrics of a campaign",
    request: z.object({ campaignId: resourceId }),
    response: emailMetrics,
    ...content,
    refusals: [400, 404],
    example: { campaignId: "cmp_2" },
  }),
};
