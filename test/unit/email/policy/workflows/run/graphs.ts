import { type FlowTeam, flowOf } from "../../../../../../src/email/policy/workflows/run/flow.ts";
import type { Run, RunContact, RunFacts } from "../../../../../../src/email/policy/workflows/run/types.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import type { Graph, NodeFields, NodeType, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";

export const START = Date.parse("2026-11-22T12:00:00Z");
export const DAY = 86_400_000;
export const HOUR = 3_600_000;

const fields: { [Type in NodeType]: NodeFields[Type] } = {
  BlankTrigger: {},
  SignupTrigger: {},
  EventTrigger: { eventName: "trialStarted", reEligible: false },
  ContactPropertyTrigger: { contactPropertyQuery: null, reEligible: false },
  AddToListTrigger: { reEligible: false },
  AudienceFilter: { audienceFilter: null, audienceSegmentId: null, appliesDownstream: false },
  TimerAction: { amount: 1, unit: "d" },
  SendEmailAction: { emailMessageId: "" },
  ExitAction: {},
  BranchNode: {},
  ExperimentBranchNode: { samplingRate: 50 },
  VariantNode: { isControl: false },
};

type Line = [id: string, typeName: NodeType, next: string[], more?: Record<string, unknown>];

/**
 * A graph from lines such as `["t", "SignupTrigger", ["x"]]`: the first is the root, `x` the exit. Node `e` sends
 * `msg_e`.
 */
export const graphOf = (...lines: Line[]): Graph => {
  const all: Line[] = [...lines, ["x", "ExitAction", []]];
  return {
    root: lines[0]?.[0] ?? "x",
    exit: "x",
    lastK: all.length,
    nodes: Object.fromEntries(
      all.map(([id, typeName, nextNodeIds, more], i) => {
        const mail = typeName === "SendEmailAction" ? { emailMessageId: `msg_${id}` } : {};
        return [id, { typeName, k: i + 1, nextNodeIds, ...fields[typeName], ...mail, ...more } as WorkflowNode];
      }),
    ),
  };
};

export const k = (graph: Graph, id: string): number => graph.nodes[id]?.k ?? 0;

export const contactOf = (data: Partial<RunContact["data"]> = {}, more: Partial<RunContact> = {}): RunContact => ({
  id: "con_1",
  email: "ann@example.com",
  userId: null,
  createdAt: START,
  updatedAt: START,
  ...more,
  data: {
    firstName: null,
    lastName: null,
    source: "API",
    subscribed: true,
    userGroup: "",
    optInStatus: null,
    properties: {},
    mailingLists: {},
    ...data,
  },
});

export const factsOf = (contact: RunContact = contactOf()): RunFacts => ({ contact, hasActivity: () => false });

export const team: FlowTeam = {
  types: new Map([
    ["plan", "string"],
    ["seats", "number"],
    ["invited", "boolean"],
    ["trialEndsAt", "date"],
  ]),
  messagesOf: () => [1],
  segmentOf: (id) => (id === "seg_pro" ? planIs("pro") : undefined),
};

export const planIs = (value: string): AudienceFilter => ({
  match: "all",
  conditions: [{ type: "property", key: "plan", operator: "equals", value }],
});

export const withPlan = (plan: string): RunContact => contactOf({ properties: { plan } });

export const flow = (graph: Graph, list: string | null = null) => flowOf(graph, list, team);

/** A run at a node, since `START`. `passed`: ids of its earlier nodes. */
export const runAt = (graph: Graph, id: string, passed: string[] = []): Run => ({
  node: k(graph, id),
  since: START,
  path: passed.map((one) => [k(graph, one), START] as const),
});
