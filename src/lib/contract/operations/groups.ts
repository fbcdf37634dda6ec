import * as z from "zod";
import { page, paginated } from "../fields.ts";
import { operation } from "../operation.ts";

const group = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const name = z.string().regex(/\S/, "must not be empty").max(100, "must be at most 100 characters");
const description = z.string().max(500, "must be at most 500 characters");
const id = z.string().max(100, "must be at most 100 characters");

const answersWithGroup = { response: group, status: 200 } as const;

/** The groups that a team sorts its campaigns into. */
export const campaignGroups = {
  /** Newest first. */
  list: operation({
    method: "GET",
    path: "/campaign-groups",
    summary: "List campaign groups",
    request: z.object(page),
    response: paginated(group),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: operation({
    method: "POST",
    path: "/campaign-groups",
    summary: "Create a campaign group",
    request: z.object({ name, description: description.optional() }),
    ...answersWithGroup,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Newsletters", description: "The monthly newsletter" },
  }),

  get: operation({
    method: "GET",
    path: "/campaign-groups/{campaignGroupId}",
    summary: "Get a campaign group",
    request: z.object({ campaignGroupId: id }),
    ...answersWithGroup,
    refusals: [400, 404],
    example: { campaignGroupId: "grp_1" },
  }),

  /** Fields that are not given stay as they are. */
  update: operation({
    method: "POST",
    path: "/campaign-groups/{campaignGroupId}",
    summary: "Update a campaign group",
    request: z.object({ campaignGroupId: id, name: name.optional(), description: description.optional() }),
    ...answersWithGroup,
    refusals: [400, 404],
    example: { campaignGroupId: "grp_1", name: "Product updates" },
  }),
};

/** The groups that a team sorts its transactional emails into. */
export const transactionalGroups = {
  /** Newest first. */
  list: operation({
    method: "GET",
    path: "/transactional-groups",
    summary: "List transactional groups",
    request: z.object(page),
    response: paginated(group),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  create: operation({
    method: "POST",
    path: "/transactional-groups",
    summary: "Create a transactional group",
    request: z.object({ name, description: description.optional() }),
    ...answersWithGroup,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Billing", description: "Receipts and reminders" },
  }),

  get: operation({
    method: "GET",
    path: "/transactional-groups/{transactionalGroupId}",
    summary: "Get a transactional group",
    request: z.object({ transactionalGroupId: id }),
    ...answersWithGroup,
    refusals: [400, 404],
    example: { transactionalGroupId: "grp_2" },
  }),

  /** Fields that are not given stay as they are. */
  update: operation({
    method: "POST",
    path: "/transactional-groups/{transactionalGroupId}",
    summary: "Update a transactional group",
    request: z.object({ transactionalGroupId: id, name: name.optional(), description: description.optional() }),
    ...answersWithGroup,
    refusals: [400, 404],
    example: { transactionalGroupId: "grp_2", description: "Receipts, reminders and refunds" },
  }),
};
