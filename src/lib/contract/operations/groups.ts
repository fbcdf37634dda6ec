import * as z from "zod";
import { page, paginated, resourceId, resourceName } from "../fields.ts";
import { act, read } from "../operation.ts";

const group = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Group" });

const description = z.string().max(500, "must be at most 500 characters");
const changes = { name: resourceName.optional(), description: description.optional() };

/** Newest first. */
const list = (path: `/${string}`, what: string) =>
  read("viewer", {
    path,
    summary: `List ${what}s`,
    request: z.object(page),
    response: paginated(group),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  });

const create = (path: `/${string}`, what: string) =>
  act("editor", {
    method: "POST",
    path,
    summary: `Create a ${what}`,
    danger: false,
    request: z.strictObject({ ...changes, name: resourceName }),
    response: group,
    status: 200,
    refusals: [400, 409],
    idempotent: true,
    example: { name: "Product updates", description: "What is new in the product" },
  });

const one = { response: group, status: 200, refusals: [400, 404] } as const;

export const campaignGroups = {
  list: list("/campaign-groups", "campaign group"),
  create: create("/campaign-groups", "campaign group"),
  get: read("viewer", {
    path: "/campaign-groups/{campaignGroupId}",
    summary: "Get a campaign group",
    request: z.object({ campaignGroupId: resourceId }),
    ...one,
    example: { campaignGroupId: "grp_1" },
  }),
  update: act("editor", {
    method: "POST",
    path: "/campaign-groups/{campaignGroupId}",
    summary: "Update a campaign group",
    danger: false,
    request: z.strictObject({ campaignGroupId: resourceId, ...changes }),
    ...one,
    example: { campaignGroupId: "grp_1", name: "Product updates" },
  }),
};

export const transactionalGroups = {
  list: list("/transactional-groups", "transactional group"),
  create: create("/transactional-groups", "transactional group"),
  get: read("viewer", {
    path: "/transactional-groups/{transactionalGroupId}",
    summary: "Get a transactional group",
    request: z.object({ transactionalGroupId: resourceId }),
    ...one,
    example: { transactionalGroupId: "grp_2" },
  }),
  update: act("editor", {
    method: "POST",
    path: "/transactional-groups/{transactionalGroupId}",
    summary: "Update a transactional group",
    danger: false,
    request: z.strictObject({ transactionalGroupId: resourceId, ...changes }),
    ...one,
    example: { transactionalGroupId: "grp_2", description: "Receipts, reminders and refunds" },
  }),
};

/** Workflow groups. "Unsorted" always exists and cannot be changed. */
export const workflowGroups = {
  list: list("/workflow-groups", "workflow group"),
  create: create("/workflow-groups", "workflow group"),
  get: read("viewer", {
    path: "/workflow-groups/{workflowGroupId}",
    summary: "Get a workflow group",
    request: z.object({ workflowGroupId: resourceId }),
    ...one,
    example: { workflowGroupId: "grp_3" },
  }),
  update: act("editor", {
    method: "POST",
    path: "/workflow-groups/{workflowGroupId}",
    summary: "Update a workflow group",
    danger: false,
    request: z.strictObject({ workflowGroupId: resourceId, ...changes }),
    ...one,
    example: { workflowGroupId: "grp_3", name: "Onboarding" },
  }),
};
