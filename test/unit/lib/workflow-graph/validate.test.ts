import { describe, expect, it } from "vitest";
import { inOrder } from "../../../../src/lib/workflow-graph/edges.ts";
import type { Graph, WorkflowNode } from "../../../../src/lib/workflow-graph/types.ts";
import { faultOf } from "../../../../src/lib/workflow-graph/validate.ts";

type Fields = { [name: string]: unknown };

/** A graph from lines such as `["t", "BlankTrigger", ["x"]]`: the first is the root, the last the exit. */
const graph = (...nodes: [id: string, typeName: string, next: string[], fields?: Fields][]): Graph => ({
  root: nodes[0]?.[0] ?? "",
  exit: nodes.at(-1)?.[0] ?? "",
  lastK: nodes.length,
  nodes: Object.fromEntries(
    nodes.map(([id, typeName, nextNodeIds, fields], i) => [id, { typeName, k: i + 1, nextNodeIds, ...fields }]),
  ) as unknown as Record<string, WorkflowNode>,
});

const experiment = (first: boolean, second: boolean) =>
  graph(
    ["t", "BlankTrigger", ["e"]],
    ["e", "ExperimentBranchNode", ["v", "w"]],
    ["v", "VariantNode", ["x"], { isControl: first }],
    ["w", "VariantNode", ["x"], { isControl: second }],
    ["x", "ExitAction", []],
  );

describe("the invariant of graphs", () => {
  it.each([
    ["a new workflow", graph(["t", "BlankTrigger", ["x"]], ["x", "ExitAction", []])],
    ["an experiment with a control", experiment(false, true)],
    [
      "a branch with paths that converge",
      graph(
        ["t", "SignupTrigger", ["b"]],
        ["b", "BranchNode", ["f", "x"]],
        ["f", "AudienceFilter", ["x"]],
        ["x", "ExitAction", []],
      ),
    ],
  ])("holds for %s", (_what, one) => {
    expect(faultOf(one)).toBeUndefined();
  });

  it.each([
    ["no trigger", graph(["a", "TimerAction", ["x"]], ["x", "ExitAction", []]), "the root is no trigger"],
    ["no exit", graph(["t", "BlankTrigger", ["a"]], ["a", "TimerAction", ["a"]]), "the exit is no ExitAction"],
    [
      "a second trigger",
      graph(["t", "BlankTrigger", ["u"]], ["u", "SignupTrigger", ["x"]], ["x", "ExitAction", []]),
      "u: a second trigger",
    ],
    [
      "a second exit",
      graph(
        ["t", "BlankTrigger", ["b"]],
        ["b", "BranchNode", ["y", "x"]],
        ["y", "ExitAction", []],
        ["x", "ExitAction", []],
      ),
      "y: a second exit",
    ],
    [
      "an edge to the root",
      graph(["t", "BlankTrigger", ["a"]], ["a", "BranchNode", ["t", "x"]], ["x", "ExitAction", []]),
      "a: leads to the root",
    ],
    [
      "an edge to nothing",
      graph(["t", "BlankTrigger", ["toString"]], ["x", "ExitAction", []]),
      "t: leads to a node that does not exist",
    ],
    [
      "a double edge",
      graph(["t", "BlankTrigger", ["b"]], ["b", "BranchNode", ["x", "x"]], ["x", "ExitAction", []]),
      "b: has the same edge twice",
    ],
    [
      "a trigger with two edges",
      graph(["t", "BlankTrigger", ["a", "x"]], ["a", "TimerAction", ["x"]], ["x", "ExitAction", []]),
      "t: has 2 edges",
    ],
    [
      "a branch without a child",
      graph(["t", "BlankTrigger", ["b"]], ["b", "BranchNode", []], ["x", "ExitAction", []]),
      "b: has 0 edges",
    ],
    [
      "an exit with an edge",
      graph(["t", "BlankTrigger", ["x"]], ["a", "TimerAction", ["x"]], ["x", "ExitAction", ["a"]]),
      "x: has 1 edges",
    ],
    [
      "an orphan",
      graph(["t", "BlankTrigger", ["x"]], ["a", "TimerAction", ["x"]], ["x", "ExitAction", []]),
      "a: cannot be reached",
    ],
    [
      "a cycle",
      graph(
        ["t", "BlankTrigger", ["b"]],
        ["b", "BranchNode", ["a", "x"]],
        ["a", "TimerAction", ["b"]],
        ["x", "ExitAction", []],
      ),
      "there is a cycle",
    ],
    [
      "a variant below a timer",
      graph(["t", "BlankTrigger", ["v"]], ["v", "VariantNode", ["x"]], ["x", "ExitAction", []]),
      "v: a variant below BlankTrigger",
    ],
    ["two controls", experiment(true, true), "e: has two controls"],
    ["a k above the largest", { ...experiment(true, false), lastK: 4 }, "a k is above lastK"],
    [
      "301 nodes",
      graph(
        ["t", "BlankTrigger", ["n0"]],
        ...Array.from({ length: 299 }, (_, i): [string, string, string[]] => [
          `n${i}`,
          "TimerAction",
          [i === 298 ? "x" : `n${i + 1}`],
        ]),
        ["x", "ExitAction", []],
      ),
      "301 nodes",
    ],
  ])("does not hold with %s", (_what, one, fault) => {
    expect(faultOf(one)).toBe(fault);
  });

  it("does not hold with a number twice", () => {
    const one = graph(["t", "BlankTrigger", ["x"]], ["x", "ExitAction", []]);
    const nodes = { ...one.nodes, x: { ...one.nodes.x, k: 1 } as WorkflowNode };
    expect(faultOf({ ...one, nodes })).toBe("two nodes have the same k");
  });
});

it("lists nodes breadth-first, left to right, with the exit last", () => {
  const one = graph(
    ["t", "BlankTrigger", ["b"]],
    ["late", "TimerAction", ["x"]],
    ["b", "BranchNode", ["x", "g", "f"]],
    ["f", "AudienceFilter", ["late"]],
    ["g", "AudienceFilter", ["late"]],
    ["x", "ExitAction", []],
  );
  expect(inOrder(one)).toEqual(["t", "b", "g", "f", "late", "x"]);
});
