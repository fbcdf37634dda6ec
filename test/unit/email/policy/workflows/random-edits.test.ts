import { describe, expect, it } from "vitest";
import { emptyGraph } from "../../../../../src/lib/workflow-graph/create.ts";
import { isFork, node, parentsOf, reachable } from "../../../../../src/lib/workflow-graph/edges.ts";
import { addBranch, insertNode, type Placement } from "../../../../../src/lib/workflow-graph/insert.ts";
import { removeBelow, removeNode } from "../../../../../src/lib/workflow-graph/remove.ts";
import { reroute } from "../../../../../src/lib/workflow-graph/reroute.ts";
import type { CreatedType, Edit, Graph } from "../../../../../src/lib/workflow-graph/types.ts";
import { type NodeChanges, updateNode } from "../../../../../src/lib/workflow-graph/update.ts";
import { faultOf } from "../../../../../src/lib/workflow-graph/validate.ts";
import { createRandom } from "../../../../workerd/simulation/random.ts";

/** Edits per sequence. GRAPH_EDITS=10000 makes the long run. */
const EDITS = Number(process.env.GRAPH_EDITS || 1_000);
const SEEDS = [1, 2, 3, 4, 5];

const types: CreatedType[] = [
  ...(["AudienceFilter", "BranchNode", "ExperimentBranchNode", "TimerAction"] as const),
  ...(["SendEmailAction", "VariantNode"] as const),
];
const changes: NodeChanges[] = [
  { typeName: "EventTrigger", eventName: "trialStarted" },
  { typeName: "SignupTrigger" },
  { typeName: "AddToListTrigger", reEligible: true },
  { reEligible: false },
  { amount: 3, unit: "h" },
  { amount: 731 },
  { samplingRate: 0 },
  { isControl: true },
  { isControl: false },
  { audienceFilter: null, appliesDownstream: true },
  { audienceSegmentId: "seg_1" },
];

type Kind = "between" | "before" | "after" | "path" | "reroute" | "delete" | "deleteBelow" | "update";
type Step = { kind: Kind; text: string; edit: Edit };

const stepOf = (graph: Graph, random: () => number, id: (prefix: string) => string): Step => {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const ids = Object.keys(graph.nodes);
  const [a, b] = [pick(ids), pick(ids)];
  const type = pick(types);
  const dice = random();
  const insert = (placement: Placement): Step => ({
    kind: placement.insertMode,
    text: `${type} ${JSON.stringify(placement)}`,
    edit: insertNode(graph, type, placement, id),
  });
  const to = random() < 0.8 ? (pick(node(graph, a).nextNodeIds) ?? b) : b;
  if (dice < 0.15) return insert({ insertMode: "between", fromNodeId: a, toNodeId: to });
  if (dice < 0.25) return insert({ insertMode: "before", toNodeId: a });
  if (dice < 0.35) return insert({ insertMode: "after", fromNodeId: a });
  if (dice < 0.45) return { kind: "path", text: `path ${a}`, edit: addBranch(graph, a, id) };
  if (dice < 0.65) return { kind: "reroute", text: `reroute ${a} ${b}`, edit: reroute(graph, a, b) };
  if (dice < 0.82) return { kind: "delete", text: `delete ${a}`, edit: removeNode(graph, a) };
  // Rarely near the root: a deletion there would keep the graph small.
  const deep = ids.at(-1 - Math.floor(random() * 5)) ?? a;
  if (dice < 0.85) return { kind: "deleteBelow", text: `delete below ${deep}`, edit: removeBelow(graph, deep) };
  const change = pick(changes);
  return { kind: "update", text: `update ${a} ${JSON.stringify(change)}`, edit: updateNode(graph, a, change) };
};

const freeze = (graph: Graph): Graph => {
  for (const one of Object.values(graph.nodes)) {
    Object.freeze(one);
    Object.freeze(one.nextNodeIds);
  }
  Object.freeze(graph.nodes);
  return Object.freeze(graph);
};

const damage = (before: Graph, after: Graph, { kind }: Step): string | undefined => {
  const gone = Object.keys(before.nodes).filter((id) => !Object.hasOwn(after.nodes, id));
  const added = Object.keys(after.nodes).filter((id) => !Object.hasOwn(before.nodes, id));
  if (gone.length > 0 !== kind.startsWith("delete")) return `nodes are gone: ${gone}`;
  if (added.length > 0 !== ["between", "before", "after", "path"].includes(kind)) return `nodes were added: ${added}`;
  if (added.some((id) => node(after, id).k <= before.lastK)) return "the number of a new node was used before";
  const kept = Object.keys(before.nodes).filter((id) => Object.hasOwn(after.nodes, id));
  if (kept.some((id) => node(after, id).k !== node(before, id).k)) return "a node has another number";
  if (kind === "reroute" || kind === "deleteBelow") return undefined;
  const lost = kept.find((id) => {
    if (node(before, id).nextNodeIds === node(after, id).nextNodeIds) return false;
    const reached = reachable(after, id);
    return node(before, id).nextNodeIds.some((next) => Object.hasOwn(after.nodes, next) && !reached.has(next));
  });
  return lost === undefined ? undefined : `a path from ${lost} is lost`;
};

const movedOnlySome = (before: Graph, { kind, text, edit }: Step): boolean => {
  if (kind !== "before" || "refusal" in edit) return false;
  const { toNodeId } = JSON.parse(text.slice(text.indexOf("{"))) as { toNodeId: string };
  return parentsOf(edit.graph, toNodeId).some((id) => Object.hasOwn(before.nodes, id));
};

const play = (seed: number) => {
  const random = createRandom(seed).next;
  let last = 0;
  const id = (prefix: string) => `${prefix}_${++last}`;
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let graph = freeze(emptyGraph(id));
  let largest = 0;
  const recent: string[] = [];
  for (let n = 0; n < EDITS; n++) {
    const step = stepOf(graph, random, id);
    const { edit } = step;
    recent.push(step.text);
    const where = () => `seed ${seed}, edit ${n}: ${recent.slice(-8).join("; ")}`;
    if ("refusal" in edit) {
      const { code, path, message } = edit.refusal;
      expect(message.length > 10 && (path !== undefined || code === "node_limit"), where()).toBe(true);
      count(code);
      continue;
    }
    const fault = faultOf(edit.graph) ?? damage(graph, edit.graph, step);
    expect(fault, where()).toBeUndefined();
    expect(movedOnlySome(graph, step), where()).toBe(false);
    count(step.kind);
    graph = freeze(edit.graph);
    largest = Math.max(largest, Object.keys(graph.nodes).length);
  }
  return { counts, largest };
};

describe("random edits of a graph", () => {
  it(`never give an invalid graph and never throw, in ${SEEDS.length} sequences of ${EDITS}`, () => {
    const runs = SEEDS.map(play);
    const counts = new Map<string, number>();
    for (const run of runs) for (const [what, n] of run.counts) counts.set(what, (counts.get(what) ?? 0) + n);
    const wanted = [
      "between",
      "before",
      "after",
      "path",
      "reroute",
      "delete",
      "deleteBelow",
      "update",
      "invalid_placement",
      "invalid_target",
      "invalid_request",
      "node_update_not_implemented",
    ];
    for (const what of wanted) expect(counts.get(what) ?? 0, what).toBeGreaterThan(EDITS / 300);
    expect(Math.max(...runs.map(({ largest }) => largest))).toBeGreaterThan(40);
  }, 600_000);

  it("reach the limit of nodes and stay below it", () => {
    let last = 0;
    const id = (prefix: string) => `${prefix}_${++last}`;
    let graph = emptyGraph(id);
    const codes: string[] = [];
    for (const type of [...Array.from({ length: 74 }, () => "ExperimentBranchNode" as const), "TimerAction" as const]) {
      const edit = insertNode(graph, type, { insertMode: "before", toNodeId: graph.exit }, id);
      if ("refusal" in edit) codes.push(edit.refusal.code);
      else graph = edit.graph;
    }
    // 2 + 74 × 4 = 298, and a timer makes 299: a branch with two children is too much.
    expect(codes).toEqual([]);
    for (const type of ["BranchNode", "ExperimentBranchNode", "SendEmailAction", "TimerAction"] as const) {
      const edit = insertNode(graph, type, { insertMode: "after", fromNodeId: graph.root }, id);
      if ("refusal" in edit) codes.push(`${type}: ${edit.refusal.code}`);
      else graph = edit.graph;
    }
    const fork = Object.keys(graph.nodes).find((one) => isFork(node(graph, one))) ?? "";
    const path = addBranch(graph, fork, id);
    expect(codes).toEqual(["BranchNode: node_limit", "ExperimentBranchNode: node_limit", "TimerAction: node_limit"]);
    expect("refusal" in path && path.refusal.code).toBe("node_limit");
    expect(Object.keys(graph.nodes)).toHaveLength(300);
    expect(faultOf(graph)).toBeUndefined();
  });
});
