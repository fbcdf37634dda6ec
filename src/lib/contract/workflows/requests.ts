import * as z from "zod";
import { audienceFilter } from "../audience/filter.ts";
import { eventName, resourceId } from "../fields.ts";

/** The revision before the change. Null is never current. */
export const expectedRevisionId = resourceId.nullable();

const truth = z.boolean("must be true or false");
const flag = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "must be true or false",
);

const queuedContactPolicy = z.enum(["fail", "discard"], 'must be "fail" or "discard"');

/** With `dryRun`, nothing changes; returns the number of waiting contacts. */
export const preview = { dryRun: flag.optional(), queuedContactPolicy: queuedContactPolicy.optional() };
export const confirmDelete = flag.optional();

const NODE_TYPES = [
  ...(["AudienceFilter", "BranchNode", "ExperimentBranchNode"] as const),
  ...(["TimerAction", "SendEmailAction", "VariantNode"] as const),
] as const;

type Inserted = {
  insertMode: "between" | "before" | "after";
  fromNodeId?: string | undefined;
  toNodeId?: string | undefined;
  beforeNodeId?: string | undefined;
};
const PLACES = ["fromNodeId", "toNodeId", "beforeNodeId"] as const;

const fieldsOf = {
  between: { needs: [["fromNodeId"], ["toNodeId"]] },
  before: { needs: [["toNodeId", "beforeNodeId"]] },
  after: { needs: [["fromNodeId"]] },
} as const;

const checkPlacement = (inserted: Inserted, context: z.core.$RefinementCtx<Inserted>): void => {
  const needs: readonly (readonly (typeof PLACES)[number][])[] = fieldsOf[inserted.insertMode].needs;
  const add = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  for (const choice of needs) {
    const present = choice.filter((field) => inserted[field] !== undefined);
    if (present.length === 0) add(choice[0] ?? "", "is required");
    if (present.length > 1) add(present[1] ?? "", `must not be given together with ${present[0]}`);
  }
  const extra = PLACES.find((field) => inserted[field] !== undefined && !needs.flat().includes(field));
  if (extra !== undefined) add(extra, `must not be given for the insert mode "${inserted.insertMode}"`);
};

export const placedNode = z
  .strictObject({
    workflowId: resourceId,
    expectedRevisionId,
    insertMode: z
      .enum(["between", "before", "after"], 'must be "between", "before" or "after"')
      .describe("`between` takes `fromNodeId` and `toNodeId`, `before` only `toNodeId`, `after` only `fromNodeId`"),
    nodeTypeName: z.enum(NODE_TYPES, `must be one of ${NODE_TYPES.join(", ")}`),
    fromNodeId: resourceId.optional(),
    toNodeId: resourceId.optional(),
    beforeNodeId: resourceId.optional().describe("Instead of `toNodeId`, for `before`"),
  })
  .superRefine(checkPlacement);

const TRIGGERS = ["SignupTrigger", "EventTrigger", "ContactPropertyTrigger", "AddToListTrigger"] as const;

const WITHOUT_TYPE: ReadonlySet<unknown> = new Set([...NODE_TYPES, "ExitAction"]);

const OPERATORS = [
  ...(["any", "contains", "not_contains", "empty", "not_empty", "equal", "not_equal"] as const),
  ...(["greater_than", "less_than", "true", "false", "numeric_equal", "numeric_not_equal"] as const),
  ...(["after", "before", "between"] as const),
] as const;

const instant = z.union([z.string(), z.number()], "must be a date: ISO 8601 or Unix milliseconds");
const span = z.strictObject({ from: instant, to: instant }).meta({ id: "TimeSpan" });
const comparison = z
  .strictObject({
    operator: z.enum(OPERATORS, `must be one of ${OPERATORS.join(", ")}`),
    value: z.union([z.string(), z.number(), z.boolean(), z.null(), span], {
      error: ({ input }) => (input === undefined ? "is required" : "must be a string, a number, true or false"),
    }),
  })
  .meta({ id: "ContactPropertyComparisonRequest" });

const amount = z.number("must be a number").min(0, "must be at least 0");
const percent = "must be from 0 to 100";

const propertyQuery = z
  .strictObject({ key: z.string().max(100, "must be at most 100 characters"), is: comparison, was: comparison })
  .meta({ id: "ContactPropertyQueryRequest" });

const payload = z
  .strictObject({
    typeName: z
      .enum(TRIGGERS, {
        error: ({ input }) =>
          WITHOUT_TYPE.has(input)
            ? `must be left out: only a trigger's payload has one (${TRIGGERS.join(", ")})`
            : `must be one of ${TRIGGERS.join(", ")}`,
      })
      .optional(),
    eventPatternId: resourceId.nullable().optional(),
    eventName: eventName.nullable().optional().describe("Instead of `eventPatternId`"),
    reEligible: truth.optional(),
    contactPropertyQuery: propertyQuery.optional(),
    audienceSegmentId: resourceId.nullable().optional(),
    audienceFilter: audienceFilter.nullable().optional(),
    appliesDownstream: truth.optional(),
    amount: amount.optional(),
    unit: z.enum(["m", "h", "d"], 'must be "m", "h" or "d"').optional(),
    samplingRate: z.number("must be a number").min(0, percent).max(100, percent).optional(),
    isControl: truth.optional(),
  })
  .refine((fields) => Object.keys(fields).length > 0, "must have at least one field")
  .refine(({ eventPatternId, eventName }) => eventPatternId === undefined || eventName === undefined, {
    path: ["eventName"],
    message: "must not be given together with eventPatternId",
  })
  .meta({ id: "WorkflowNodePayload", minProperties: 1 });

export const changedNode = z.strictObject({ workflowId: resourceId, nodeId: resourceId, expectedRevisionId, payload });
export type NodePayload = z.output<typeof payload>;
