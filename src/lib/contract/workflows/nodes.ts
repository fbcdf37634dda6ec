import * as z from "zod";
import { audienceFilter } from "../audience/filter.ts";

const comparison = z.object({ operator: z.string(), value: z.union([z.string(), z.number()]) });
/** `value` is "" for an operator without one, and "from/to" for `between`. */
const propertyQuery = z.object({ key: z.string(), is: comparison, was: comparison });

const eventProperty = z.object({ name: z.string(), type: z.enum(["string", "number", "boolean", "date"]) });
const unit = z.enum(["m", "h", "d"]);
const reEligible = z.boolean();

const nodeOf = <Type extends string, Around extends z.ZodRawShape, Own extends z.ZodRawShape>(
  typeName: Type,
  around: Around,
  own: Own,
) => z.object({ ...around, typeName: z.literal(typeName), nextNodeIds: z.array(z.string()), ...own });

const common = <Around extends z.ZodRawShape>(around: Around) =>
  [
    nodeOf("BlankTrigger", around, {}),
    nodeOf("SignupTrigger", around, {}),
    nodeOf("ContactPropertyTrigger", around, { contactPropertyQuery: propertyQuery.nullable(), reEligible }),
    nodeOf("AddToListTrigger", around, { mailingListId: z.string().nullable(), reEligible }),
    nodeOf("TimerAction", around, { amount: z.number(), unit }),
    nodeOf("SendEmailAction", around, { emailMessageId: z.string(), subject: z.string() }),
    nodeOf("ExitAction", around, {}),
    nodeOf("BranchNode", around, {}),
    nodeOf("ExperimentBranchNode", around, { samplingRate: z.number() }),
    nodeOf("VariantNode", around, { isControl: z.boolean() }),
  ] as const;

/** `nextNodeIds`: its edges, left to right. */
const shortNode = z
  .discriminatedUnion("typeName", [
    ...common({}),
    nodeOf("EventTrigger", {}, { eventName: z.string().nullable(), reEligible }),
    nodeOf("AudienceFilter", {}, {}),
  ])
  .meta({ id: "WorkflowNode" });

export const fullNode = <More extends z.ZodRawShape>(more: More) => {
  const around = { id: z.string(), ...more };
  return z.discriminatedUnion("typeName", [
    ...common(around),
    nodeOf("EventTrigger", around, {
      eventName: z.string().optional(),
      eventProperties: z.array(eventProperty),
      reEligible,
    }),
    nodeOf("AudienceFilter", around, {
      audienceFilter: audienceFilter.nullable(),
      audienceSegmentId: z.string().optional(),
      appliesDownstream: z.boolean(),
    }),
  ]);
};

/**
 * `workflowRevisionId` changes with every change and must be sent with one. `nodes`: breadth-first from the root,
 * exit last.
 */
export const workflow = z
  .object({
    id: z.string(),
    url: z.string(),
    workflowRevisionId: z.string(),
    status: z.enum(["Draft", "Sending", "Paused", "PausedAndQueueing"]),
    name: z.string(),
    description: z.string(),
    workflowGroupId: z.string(),
    mailingListId: z.string().nullable(),
    rootNodeId: z.string(),
    nodes: z.record(z.string(), shortNode),
  })
  .meta({ id: "Workflow" });

export type ShortNode = z.output<typeof shortNode>;
export type Workflow = z.output<typeof workflow>;
