import * as z from "zod";
import { audienceFilter } from "../audience/filter.ts";
import { eventProperty } from "../fields.ts";

/** `value` is "" for an operator without one, and "from/to" for `between`. */
const comparison = z
  .object({ operator: z.string(), value: z.union([z.string(), z.number()]) })
  .meta({ id: "ContactPropertyComparison" });
const propertyQuery = z
  .object({ key: z.string(), is: comparison, was: comparison })
  .meta({ id: "ContactPropertyQuery" });

const unit = z.enum(["m", "h", "d"]);
const reEligible = z.boolean();

const nodeOf = <Type extends string, Around extends z.ZodRawShape, Own extends z.ZodRawShape>(
  kind: string,
  typeName: Type,
  around: Around,
  own: Own,
) =>
  z
    .object({ ...around, typeName: z.literal(typeName), nextNodeIds: z.array(z.string()), ...own })
    .meta({ id: `Workflow${kind}${typeName}` });

/** Schemas of nodes are named by kind and type: `WorkflowTimerAction`, `WorkflowFullTimerAction`. */
const common = <Around extends z.ZodRawShape>(kind: string, around: Around) =>
  [
    nodeOf(kind, "BlankTrigger", around, {}),
    nodeOf(kind, "SignupTrigger", around, {}),
    nodeOf(kind, "ContactPropertyTrigger", around, { contactPropertyQuery: propertyQuery.nullable(), reEligible }),
    nodeOf(kind, "AddToListTrigger", around, { mailingListId: z.string().nullable(), reEligible }),
    nodeOf(kind, "TimerAction", around, { amount: z.number(), unit }),
    nodeOf(kind, "SendEmailAction", around, { emailMessageId: z.string(), subject: z.string() }),
    nodeOf(kind, "ExitAction", around, {}),
    nodeOf(kind, "BranchNode", around, {}),
    nodeOf(kind, "ExperimentBranchNode", around, { samplingRate: z.number() }),
    nodeOf(kind, "VariantNode", around, { isControl: z.boolean() }),
  ] as const;

/** `nextNodeIds`: its edges, left to right. */
const shortNode = z
  .discriminatedUnion("typeName", [
    ...common("", {}),
    nodeOf("", "EventTrigger", {}, { eventName: z.string().nullable(), reEligible }),
    nodeOf("", "AudienceFilter", {}, {}),
  ])
  .meta({ id: "WorkflowNode" });

/** A node with all its fields, and those of `more`. Its schema is named `Workflow${kind}Node`. */
export const fullNode = <More extends z.ZodRawShape>(kind: string, more: More) => {
  const around = { id: z.string(), ...more };
  return z
    .discriminatedUnion("typeName", [
      ...common(kind, around),
      nodeOf(kind, "EventTrigger", around, {
        eventName: z.string().optional(),
        eventProperties: z.array(eventProperty),
        reEligible,
      }),
      nodeOf(kind, "AudienceFilter", around, {
        audienceFilter: audienceFilter.nullable(),
        audienceSegmentId: z.string().optional(),
        appliesDownstream: z.boolean(),
      }),
    ])
    .meta({ id: `Workflow${kind}Node` });
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
