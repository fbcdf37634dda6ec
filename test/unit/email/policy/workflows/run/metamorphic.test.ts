import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { travel } from "../../../../../../src/email/policy/workflows/run/travel.ts";
import type { RunContact } from "../../../../../../src/email/policy/workflows/run/types.ts";
import type { AudienceFilter } from "../../../../../../src/lib/contract/audience/filter.ts";
import type { Graph, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { faultOf } from "../../../../../../src/lib/workflow-graph/validate.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { randomGraph } from "../simulation/random-graph.ts";
import { contactOf, DAY, START, team } from "./graphs.ts";

const graphs = fc.nat(1_000_000).map((seed) => randomGraph(createRandom(seed), "w"));
const property = fc.record(
  { plan: fc.constantFrom("free", "pro", "PRÖ", ""), seats: fc.integer({ min: 0, max: 6 }) },
  { requiredKeys: [] },
);
const lives = fc.record({
  first: property,
  id: fc.nat(1000).map((n) => `con_${n}`),
  later: fc.array(fc.record({ day: fc.integer({ min: 0, max: 9 }), properties: property, subscribed: fc.boolean() }), {
    maxLength: 4,
  }),
});
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

const personOf = (properties: object, id: string, subscribed = true): RunContact =>
  contactOf({ properties: properties as Record<string, string>, subscribed }, { id });

const played = (graph: Graph, { first, id, later }: Life, from = START) =>
  travel({
    graph,
    list: null,
    team,
    contact: personOf(first, id),
    hasActivity: () => false,
    from,
    days: 60,
    assume: later.map(({ day, properties, subscribed }) => ({
      day,
      // Most contacts stay subscribed: otherwise few would reach the later nodes.
      contact: () => personOf(properties, id, subscribed || day % 3 > 0),
    })),
    nameOf: () => undefined,
    rowOf: () => undefined,
  });

const mailsOf = (graph: Graph, life: Life, from = START) =>
  played(graph, life, from).mails.map(({ message, at }) => `${message} ${at - from}`);

const changed = (graph: Graph, change: (id: string, one: WorkflowNode) => WorkflowNode): Graph => ({
  ...graph,
  nodes: Object.fromEntries(Object.entries(graph.nodes).map(([id, one]) => [id, change(id, one)])),
});

const withBefore = (graph: Graph, target: string, node: object): Graph => {
  const id = `new_${graph.lastK}`;
  const moved = changed(graph, (_, one) => ({
    ...one,
    nextNodeIds: one.nextNodeIds.map((next) => (next === target ? id : next)),
  }));
  const added = { k: graph.lastK + 1, nextNodeIds: [target], ...node } as unknown as WorkflowNode;
  return { ...moved, lastK: graph.lastK + 1, nodes: { ...moved.nodes, [id]: added } };
};

const places = (graph: Graph): string[] => {
  const children = Object.values(graph.nodes).flatMap((one) =>
    one.typeName === "BranchNode" || one.typeName === "ExperimentBranchNode" ? one.nextNodeIds : [],
  );
  return Object.keys(graph.nodes).filter((id) => id !== graph.root && !children.includes(id));
};

const never: AudienceFilter = {
  match: "all",
  conditions: [{ type: "property", key: "plan", operator: "equals", value: "none" }],
};
/** WORKFLOWS_METAMORPHIC=5000 makes the long run. */
const RUNS = { numRuns: Number(process.env.WORKFLOWS_METAMORPHIC || 60) };

/** Without experiments: a variant depends on the id of its experiment. */
const plainGraphs = graphs.filter((graph) =>
  Object.values(graph.nodes).every(({ typeName }) => typeName !== "ExperimentBranchNode"),
);

const renamed = (graph: Graph): Graph => {
  const name = (id: string) => `z_${[...id].reverse().join("")}`;
  const nodes = Object.entries(graph.nodes).map(([id, one]) => [
    name(id),
    { ...one, k: graph.lastK + 1 - one.k, nextNodeIds: one.nextNodeIds.map(name) },
  ]);
  return { root: name(graph.root), exit: name(graph.exit), lastK: graph.lastK, nodes: Object.fromEntries(nodes) };
};

const unshared = (graph: Graph): Graph => {
  const nodes: Record<string, WorkflowNode> = {};
  let k = 0;
  const copy = (id: string): string => {
    const one = graph.nodes[id];
    k += 1;
    const own = id === graph.exit ? id : `${id}_${k}`;
    if (!one || nodes[own]) return own;
    const made = { ...one, k } as WorkflowNode;
    nodes[own] = made;
    nodes[own] = { ...made, nextNodeIds: one.nextNodeIds.map(copy) } as WorkflowNode;
    return own;
  };
  const root = copy(graph.root);
  return { root, exit: graph.exit, lastK: k, nodes };
};

const planFilter = (match: "all" | "any") => ({
  typeName: "AudienceFilter",
  audienceSegmentId: null,
  appliesDownstream: true,
  audienceFilter: {
    match,
    conditions: (["equals", "notEquals"] as const).map((operator) => ({
      type: "property" as const,
      key: "plan",
      operator,
      value: "pro",
    })),
  },
});

describe("the mails of a contact", () => {
  it("stay the same with a timer of 0 anywhere", () => {
    fc.assert(
      fc.property(graphs, lives, fc.nat(), (graph, life, n) => {
        const target = places(graph)[n % places(graph).length] ?? graph.exit;
        const longer = withBefore(graph, target, { typeName: "TimerAction", amount: 0, unit: "m" });
        expect(faultOf(longer)).toBeUndefined();
        expect(mailsOf(longer, life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("stay the same with a filter that everyone matches anywhere", () => {
    fc.assert(
      fc.property(graphs, lives, fc.nat(), (graph, life, n) => {
        const target = places(graph)[n % places(graph).length] ?? graph.exit;
        const node = {
          typeName: "AudienceFilter",
          audienceFilter: null,
          audienceSegmentId: null,
          appliesDownstream: true,
        };
        expect(mailsOf(withBefore(graph, target, node), life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("end at a filter that no contact matches", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const first = graph.nodes[graph.root]?.nextNodeIds[0] ?? "";
        const node = {
          typeName: "AudienceFilter",
          audienceFilter: never,
          audienceSegmentId: null,
          appliesDownstream: false,
        };
        expect(mailsOf(withBefore(graph, first, node), life)).toEqual([]);
      }),
      RUNS,
    );
  });

  it("do not depend on the date of the start", () => {
    fc.assert(
      fc.property(graphs, lives, fc.integer({ min: 1, max: 5000 }), (graph, life, days) => {
        expect(mailsOf(graph, life, START + days * DAY)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("do not depend on the order of the conditions of a filter", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const turned = changed(graph, (_, one) =>
          one.typeName === "AudienceFilter" && one.audienceFilter
            ? {
                ...one,
                audienceFilter: { ...one.audienceFilter, conditions: [...one.audienceFilter.conditions].reverse() },
              }
            : one,
        );
        expect(mailsOf(turned, life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("do not depend on the order of the nodes", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const turned = { ...graph, nodes: Object.fromEntries(Object.entries(graph.nodes).reverse()) };
        expect(mailsOf(turned, life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("do not depend on the ids of the nodes", () => {
    fc.assert(
      fc.property(plainGraphs, lives, (graph, life) => {
        expect(mailsOf(renamed(graph), life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("are the same where paths meet and where each has a copy of what follows", () => {
    fc.assert(
      fc.property(plainGraphs, lives, (graph, life) => {
        expect(mailsOf(unshared(graph), life)).toEqual(mailsOf(graph, life));
      }),
      RUNS,
    );
  });

  it("go to everyone with a filter or its opposite, and to no contact with both", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const first = graph.nodes[graph.root]?.nextNodeIds[0] ?? "";
        expect(mailsOf(withBefore(graph, first, planFilter("any")), life)).toEqual(mailsOf(graph, life));
        expect(mailsOf(withBefore(graph, first, planFilter("all")), life)).toEqual([]);
      }),
      RUNS,
    );
  });

  it("are the same for a segment and for its filter in the node", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const inline = changed(graph, (_, one) =>
          one.typeName === "AudienceFilter" && one.audienceFilter === null
            ? { ...one, audienceFilter: team.segmentOf("seg_pro") ?? null }
            : one,
        );
        const named = changed(graph, (_, one) =>
          one.typeName === "AudienceFilter" && one.audienceFilter === null
            ? { ...one, audienceSegmentId: "seg_pro" }
            : one,
        );
        expect(mailsOf(named, life)).toEqual(mailsOf(inline, life));
      }),
      RUNS,
    );
  });

  it("are the same for all of two conditions and for two filters in a row", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const a = { type: "property", key: "plan", operator: "notEquals", value: "free" } as const;
        const b = { type: "property", key: "seats", operator: "greaterThan", value: 2 } as const;
        const filter = (...conditions: AudienceFilter["conditions"]) => ({
          typeName: "AudienceFilter",
          audienceSegmentId: null,
          appliesDownstream: false,
          audienceFilter: { match: "all", conditions },
        });
        const first = graph.nodes[graph.root]?.nextNodeIds[0] ?? "";
        const both = withBefore(graph, first, filter(a, b));
        const two = withBefore(withBefore(graph, first, filter(a)), first, filter(b));
        expect(mailsOf(two, life)).toEqual(mailsOf(both, life));
      }),
      RUNS,
    );
  });

  it("are the same for a default path and for one with the opposite filter", () => {
    const branch = (operator: "any" | "notEquals"): Graph => {
      const filter = (one: "any" | "equals" | "notEquals"): object => ({
        typeName: "AudienceFilter",
        audienceSegmentId: null,
        appliesDownstream: false,
        audienceFilter: { match: "all", conditions: [{ type: "property", key: "plan", operator: one, value: "pro" }] },
      });
      const nodes = {
        t: { typeName: "SignupTrigger", nextNodeIds: ["b"] },
        b: { typeName: "BranchNode", nextNodeIds: ["f", "g"] },
        f: { ...filter("equals"), nextNodeIds: ["e1"] },
        g: { ...filter(operator), nextNodeIds: ["e2"] },
        e1: { typeName: "SendEmailAction", nextNodeIds: ["x"], emailMessageId: "msg_1" },
        e2: { typeName: "SendEmailAction", nextNodeIds: ["x"], emailMessageId: "msg_2" },
        x: { typeName: "ExitAction", nextNodeIds: [] },
      };
      const numbered = Object.entries(nodes).map(([id, one], i) => [id, { k: i + 1, ...one }]);
      return { root: "t", exit: "x", lastK: 7, nodes: Object.fromEntries(numbered) };
    };
    fc.assert(
      fc.property(lives, (life) => {
        expect(mailsOf(branch("notEquals"), life)).toEqual(mailsOf(branch("any"), life));
        expect(mailsOf(branch("any"), { ...life, later: [] })).toHaveLength(1);
      }),
      RUNS,
    );
  });
});

describe("a passage", () => {
  it("is a walk of edges, and goes through no node twice", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const ids = new Map(Object.entries(graph.nodes).map(([id, one]) => [one.k, id]));
        const path = [graph.root, ...played(graph, life).run.path.map(([k]) => ids.get(k) ?? "")];
        expect(new Set(path).size).toBe(path.length);
        for (const [i, id] of path.slice(1).entries()) expect(graph.nodes[path[i] ?? ""]?.nextNodeIds).toContain(id);
      }),
      RUNS,
    );
  });

  it("has a sentence for its end", () => {
    fc.assert(
      fc.property(graphs, lives, (graph, life) => {
        const { text, lines } = played(graph, life);
        for (const line of [text, ...lines.map((one) => one.text)]) expect(line).toMatch(/^[A-Z].*\.$/s);
      }),
      RUNS,
    );
  });
});
