import { describe, expect, it } from "vitest";
import {
  graphOf,
  pointsAbove,
  pointsBelow,
  removalsAt,
  targetsOf,
} from "../../../../src/dashboard/app/pages/workflows/shape.ts";
import type { ShortNode } from "../../../../src/lib/contract/workflows/nodes.ts";

const one = (typeName: string, ...nextNodeIds: string[]) => ({ typeName, nextNodeIds }) as ShortNode;

const graph = graphOf({
  rootNodeId: "start",
  nodes: {
    start: one("SignupTrigger", "branch"),
    branch: one("BranchNode", "pro", "all"),
    pro: one("AudienceFilter", "mail"),
    all: one("AudienceFilter", "wait"),
    mail: one("SendEmailAction", "wait"),
    wait: one("TimerAction", "experiment"),
    experiment: one("ExperimentBranchNode", "a", "b", "control"),
    a: one("VariantNode", "exit"),
    b: one("VariantNode", "exit"),
    control: one("VariantNode", "exit"),
    exit: one("ExitAction"),
  },
});
const USUAL = ["TimerAction", "SendEmailAction", "AudienceFilter", "BranchNode", "ExperimentBranchNode"];

describe("the places of a new node", () => {
  it("are one below a node with one edge, and none below a fork or the exit", () => {
    expect(pointsBelow(graph, "start")).toEqual([
      { placement: { insertMode: "after", fromNodeId: "start" }, from: "start", types: USUAL },
    ]);
    for (const id of ["branch", "experiment", "exit"]) expect(pointsBelow(graph, id)).toEqual([]);
  });

  it("are one above a node with one edge, of a branch too", () => {
    expect(pointsAbove(graph, "start")).toEqual([]);
    expect(pointsAbove(graph, "pro")).toEqual([
      { placement: { insertMode: "between", fromNodeId: "branch", toNodeId: "pro" }, from: "branch", types: USUAL },
    ]);
    expect(pointsAbove(graph, "wait")).toEqual([
      { placement: { insertMode: "before", toNodeId: "wait" }, types: USUAL },
    ]);
  });

  it("take no other type than a variant right below an experiment, and no variant where one is", () => {
    expect(pointsAbove(graph, "a")).toEqual([]);
    const without = graphOf({
      rootNodeId: "start",
      nodes: {
        start: one("SignupTrigger", "experiment"),
        experiment: one("ExperimentBranchNode", "exit"),
        exit: one("ExitAction"),
      },
    });
    expect(pointsAbove(without, "exit")).toEqual([
      {
        placement: { insertMode: "between", fromNodeId: "experiment", toNodeId: "exit" },
        from: "experiment",
        types: ["VariantNode"],
      },
    ]);
  });

  it("are every edge, and that of the fork alone, where a fork leads to a node that others lead to as well", () => {
    const direct = graphOf({
      rootNodeId: "start",
      nodes: {
        start: one("SignupTrigger", "branch"),
        branch: one("BranchNode", "pro", "exit"),
        pro: one("AudienceFilter", "exit"),
        exit: one("ExitAction"),
      },
    });
    expect(pointsAbove(direct, "exit").map(({ placement }) => placement)).toEqual([
      { insertMode: "before", toNodeId: "exit" },
      { insertMode: "between", fromNodeId: "branch", toNodeId: "exit" },
    ]);
  });
});

describe("what else can be done at a node", () => {
  it("is to lead it to nodes that make no circle and lose nothing", () => {
    expect(targetsOf(graph, "mail")).toEqual(["experiment", "exit"]);
    expect(targetsOf(graph, "all")).toEqual(["mail", "experiment", "exit"]);
    expect(targetsOf(graph, "wait")).toEqual([]);
    expect(targetsOf(graph, "pro")).toEqual([]);
    expect(targetsOf(graph, "branch")).toEqual([]);
  });

  it("is to delete it alone, or with what only it leads to", () => {
    expect(removalsAt(graph, "start")).toEqual({ one: false, below: undefined });
    expect(removalsAt(graph, "exit")).toEqual({ one: false, below: undefined });
    expect(removalsAt(graph, "mail")).toEqual({ one: true, below: undefined });
    expect(removalsAt(graph, "pro")).toEqual({ one: true, below: ["pro", "mail"] });
    expect(removalsAt(graph, "experiment")).toEqual({ one: false, below: ["experiment", "a", "b", "control"] });
    expect(removalsAt(graph, "a")).toEqual({ one: true, below: undefined });
  });
});
