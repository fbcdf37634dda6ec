import type { AudienceFilter } from "../contract/audience/filter.ts";
import type { Refusal } from "../contract/errors.ts";
import { isTrigger, node, parentsOf } from "./edges.ts";
import { pairAfter } from "./pair.ts";
import type { Edit, Graph, NodeOf, NodeType, PropertyQuery, TimerUnit, WorkflowNode } from "./types.ts";

/** Absent fields stay. `typeName` changes the type of a trigger. */
export type NodeChanges = {
  typeName?: "SignupTrigger" | "EventTrigger" | "ContactPropertyTrigger" | "AddToListTrigger" | undefined;
  eventName?: string | null | undefined;
  eventPatternId?: string | null | undefined;
  reEligible?: boolean | undefined;
  contactPropertyQuery?: PropertyQuery | undefined;
  audienceFilter?: AudienceFilter | null | undefined;
  audienceSegmentId?: string | null | undefined;
  appliesDownstream?: boolean | undefined;
  amount?: number | undefined;
  unit?: TimerUnit | undefined;
  samplingRate?: number | undefined;
  isControl?: boolean | undefined;
};

const fieldsOf: Partial<Record<NodeType, readonly (keyof NodeChanges)[]>> = {
  BlankTrigger: [],
  SignupTrigger: [],
  EventTrigger: ["eventName", "eventPatternId", "reEligible"],
  ContactPropertyTrigger: ["contactPropertyQuery", "reEligible"],
  AddToListTrigger: ["reEligible"],
  AudienceFilter: ["audienceFilter", "audienceSegmentId", "appliesDownstream"],
  TimerAction: ["amount", "unit"],
  ExperimentBranchNode: ["samplingRate"],
  VariantNode: ["isControl"],
};

const invalid = (path: string, message: string): Refusal => ({
  code: "invalid_request",
  path: `payload.${path}`,
  message: `payload.${path}: ${message}`,
});

export const updateNode = (graph: Graph, id: string, changes: NodeChanges): Edit => {
  const before = node(graph, id);
  const refusal = changeRefusal(before, changes);
  if (refusal) return { refusal };
  const after = changed(before, changes);
  const fault = after.typeName === "TimerAction" ? timerRefusal(after, changes) : undefined;
  if (fault) return { refusal: fault };
  const nodes = { ...graph.nodes, [id]: after };
  // An experiment has one control.
  const others = after.typeName === "VariantNode" && after.isControl ? siblingsOf(graph, id) : [];
  for (const other of others) nodes[other] = { ...node(graph, other), isControl: false } as NodeOf<"VariantNode">;
  return { graph: { ...graph, nodes } };
};

export const changeRefusal = (before: WorkflowNode, changes: NodeChanges): Refusal | undefined => {
  if (!fieldsOf[before.typeName]) {
    const advice =
      before.typeName === "SendEmailAction"
        ? `Edit the email through POST /v1/email-messages/${before.emailMessageId}.`
        : "Its edges change when nodes are inserted, rerouted and deleted.";
    const message = `A node of type ${before.typeName} has no fields to change. ${advice}`;
    return { code: "node_update_not_implemented", path: "nodeId", message };
  }
  if (changes.typeName !== undefined && !isTrigger(before)) {
    return invalid("typeName", `only a trigger can change its type; this node is of type ${before.typeName}`);
  }
  if (before.typeName === "BlankTrigger" && changes.typeName === undefined) {
    return invalid("typeName", "is required for a trigger that has no type yet");
  }
  const typeName = changes.typeName ?? before.typeName;
  const fields = fieldsOf[typeName] ?? [];
  const wrong = Object.entries(changes).find(
    ([field, value]) => value !== undefined && field !== "typeName" && !fields.includes(field as keyof NodeChanges),
  );
  if (!wrong) return undefined;
  const has = fields.length > 0 ? `its fields are ${fields.join(", ")}` : "it has no fields";
  return invalid(wrong[0], `is no field of a node of type ${typeName}; ${has}`);
};

const changed = (before: WorkflowNode, changes: NodeChanges): WorkflowNode => {
  const { typeName, eventPatternId: _, ...rest } = changes;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const start = typeName === undefined || typeName === before.typeName ? before : retyped(before, typeName);
  return {
    ...start,
    ...given,
    ...(start.typeName === "AudienceFilter" ? pairAfter(start, changes) : {}),
  } as WorkflowNode;
};

const retyped = (before: WorkflowNode, typeName: NonNullable<NodeChanges["typeName"]>): WorkflowNode => {
  const { k, nextNodeIds } = before;
  const reEligible = "reEligible" in before && before.reEligible;
  const fields = {
    SignupTrigger: {},
    EventTrigger: { eventName: null, reEligible },
    ContactPropertyTrigger: { contactPropertyQuery: null, reEligible },
    AddToListTrigger: { reEligible },
  }[typeName];
  return { typeName, k, nextNodeIds, ...fields } as WorkflowNode;
};

const DAYS: Readonly<Record<TimerUnit, number>> = { m: 1 / 1440, h: 1 / 24, d: 1 };
/** In days. */
const MAX_DAYS = 730;

const timerRefusal = ({ amount, unit }: NodeOf<"TimerAction">, changes: NodeChanges): Refusal | undefined => {
  if (amount * DAYS[unit] <= MAX_DAYS) return undefined;
  const field = changes.amount === undefined ? "unit" : "amount";
  return invalid(field, `a timer waits at most ${MAX_DAYS} days, and ${amount} ${unit} is longer`);
};

const siblingsOf = (graph: Graph, id: string): string[] =>
  parentsOf(graph, id)
    .flatMap((parent) => node(graph, parent).nextNodeIds)
    .filter((other) => other !== id && node(graph, other).typeName === "VariantNode");
