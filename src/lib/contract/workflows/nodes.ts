import * as z from "zod";
import { audienceFilter } from "../audience/filter.ts";

const comparison = z.object({ operator: z.string(), value: z.union([z.string(), z.number()]) });
/** `value` is "" for an operator without one, and "from/to" for `between`. */
const propertyQuery = z.object({ key: z.string(), is: comparison, was: comparison });

const eventProperty = z.object({ name: z.string(), type: z.enum(["string", "number", "boolean", "date"]) });
const unit = z.enum(["m", "h", "d"]);
const reEligible = z.boolean();

/** A node of one type: what every node has, its own fields, and `around`. */
const nodeOf = <Type extends string, Around extends z.ZodRawShape, Own extends z.ZodRawShape>(
  typeName: Type,
  around: Around,
  own: Own,
) => z.object({ ...around, typeName: z.literal(typeName), nextNodeIds: z.array(z.string()), ...own });

/** Nodes whose fields are the same wherever they are shown. */
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

/** A node in its workflow. `nextNodeIds`: its edges, left to right. */
const shortNode = z
  .discriminatedUnion("typeName", [
    ...common({}),
    nodeOf("EventTrigger", {}, { eventName: z.string().nullable(), reEligible }),
    nodeOf("AudienceFilter", {}, {}),
  ])
  .meta({ id: "WorkflowNode" });

/** A node with all of its fields. `eventName` and `audienceSegmentId` are absent where there is none. */
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
 * A workflow. `workflowRevisionId` changes with every change of it, and a change has to name it. `nodes`: by id, breadth-first
 * from the root, the exit last. `url`: its address at this host, absolute.
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
