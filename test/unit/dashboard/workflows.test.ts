import { describe, expect, it } from "vitest";
import { problemsByNode } from "../../../src/dashboard/app/pages/workflows/acts/problems.ts";
import { layoutOf, NODE } from "../../../src/dashboard/app/pages/workflows/graph/layout.ts";
import { walk } from "../../../src/dashboard/app/pages/workflows/graph/walk.ts";
import { type Entry, nestedOf } from "../../../src/dashboard/app/pages/workflows/list/nested.ts";
import { actsFor, pollOf } from "../../../src/dashboard/app/pages/workflows/state.ts";
import { countsText, reasonLines } from "../../../src/dashboard/app/pages/workflows/words.ts";
import { createRandom } from "../../workerd/simulation/random.ts";
import { randomGraph } from "../email/workflows/simulation/random-graph.ts";

type Shape = Parameters<typeof nestedOf>[0];

/** A graph from its edges. The first letter of an id is its type. */
const TYPES: Record<string, string> = {
  ...{ t: "EventTrigger", w: "TimerAction", m: "SendEmailAction", f: "AudienceFilter" },
  ...{ b: "BranchNode", x: "ExitAction" },
};
const graphOf = (edges: Record<string, string[]>): Shape =>
  ({
    rootNodeId: "t",
    nodes: Object.fromEntries(
      Object.entries(edges).map(([id, nextNodeIds]) => [id, { typeName: TYPES[id.charAt(0)], nextNodeIds }]),
    ),
  }) as Shape;

/** trigger → timer → branch of two filters; the first sends a mail; both meet at a timer; then the exit. */
const JOINED = graphOf({
  ...{ t: ["w1"], w1: ["b"], b: ["f1", "f2"], f1: ["m1"], m1: ["w2"], f2: ["w2"], w2: ["x"], x: [] },
});

/** The entries as short text: paths in brackets, a jump with an arrow. */
const textOf = (entries: readonly Entry[]): string =>
  entries
    .map(({ nodeId, isJump, paths }) => {
      const own = isJump ? `→${nodeId}` : nodeId;
      return paths ? `${own}[${paths.map(textOf).join(" | ")}]` : own;
    })
    .join(" ");

const nodesIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ nodeId, isJump, paths = [] }) => [...(isJump ? [] : [nodeId]), ...paths.flatMap(nodesIn)]);

describe("a graph as a nested list", () => {
  it("goes on after a branch with the node where its paths meet", () => {
    expect(textOf(nestedOf(JOINED))).toBe("t w1 b[f1 m1 | f2] w2 x");
  });

  it("jumps to a node that stands elsewhere, as after a reroute, and to the exit", () => {
    const rerouted = graphOf({
      ...{ t: ["b"], b: ["f1", "f2", "f3"], f1: ["m1"], m1: ["w"], f2: ["w"], f3: ["x"], w: ["x"], x: [] },
    });
    expect(textOf(nestedOf(rerouted))).toBe("t b[f1 m1 w | f2 →w | f3] x");
  });

  it("has each node of any graph once", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const { root, nodes } = randomGraph(createRandom(seed), "g", true);
      const entries = nestedOf({ rootNodeId: root, nodes } as unknown as Shape);
      expect(nodesIn(entries).sort(), `seed ${seed}`).toEqual(Object.keys(nodes).sort());
    }
  });
});

describe("the layout of a graph", () => {
  const overlaps = (positions: ReadonlyMap<string, { x: number; y: number }>): boolean => {
    const all = [...positions.values()];
    return all.some((a, i) =>
      all.slice(i + 1).some((b) => Math.abs(a.x - b.x) < NODE.width && Math.abs(a.y - b.y) < NODE.height),
    );
  };

  it("has each node below those that lead to it, and no two in one place", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const { nodes } = randomGraph(createRandom(seed), "g", true);
      const positions = layoutOf({ nodes } as unknown as Shape);
      expect(overlaps(positions), `seed ${seed}`).toBe(false);
      for (const [id, { nextNodeIds }] of Object.entries(nodes))
        for (const next of nextNodeIds)
          expect(positions.get(next)?.y, `seed ${seed}: ${id} ${next}`).toBeGreaterThan(positions.get(id)?.y ?? 0);
    }
  });

  it("has the paths of a branch from left to right", () => {
    const wide = graphOf({
      ...{ t: ["b"], b: ["f1", "f2", "f3"], f1: ["m"], m: ["x"], f2: ["x"], f3: ["m"], x: [] },
    });
    const positions = layoutOf(wide);
    const xs = ["f1", "f2", "f3"].map((id) => positions.get(id)?.x ?? 0);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(new Set(xs).size).toBe(3);
  });

  it("takes 300 nodes in a second", () => {
    const ids = Array.from({ length: 300 }, (_, i) => (i === 0 ? "t" : i === 299 ? "x" : `w${i}`));
    const chain = graphOf(Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)])));
    const started = performance.now();
    expect(layoutOf(chain).size).toBe(300);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("the arrows", () => {
  const positions = layoutOf(JOINED);
  const go = (from: string, ...keys: string[]) =>
    keys.reduce<string | undefined>((at, key) => at && walk(JOINED, positions, at, `Arrow${key}`), from);

  it("walk along edges, and from path to path", () => {
    expect(go("t", "Down", "Down")).toBe("b");
    expect(["f1", "f2"]).toContain(go("b", "Down"));
    expect(go("f1", "Right")).toBe("f2");
    expect(go("f2", "Left")).toBe("f1");
    expect(go("w2", "Down")).toBe("x");
    expect(go("f2", "Up")).toBe("b");
  });

  it("reach every node from the trigger, and lead nowhere at an edge", () => {
    const seen = new Set(["t"]);
    for (const at of seen)
      for (const key of ["Down", "Right", "Left"]) {
        const next = go(at, key);
        if (next !== undefined) seen.add(next);
      }
    expect([...seen].sort()).toEqual(Object.keys(JOINED.nodes).sort());
    expect(go("t", "Up")).toBeUndefined();
    expect(go("x", "Down")).toBeUndefined();
    expect(go("t", "Left")).toBeUndefined();
  });

  it("and Home and End lead to the trigger and the exit; another key leads nowhere", () => {
    expect(walk(JOINED, positions, "m1", "Home")).toBe("t");
    expect(walk(JOINED, positions, "m1", "End")).toBe("x");
    expect(walk(JOINED, positions, "m1", "a")).toBeUndefined();
  });
});

describe("the words about a node", () => {
  const node = {
    ...{ nodeId: "w", typeName: "TimerAction", text: "the timer", waiting: 12, due: 0, nextWake: null },
    ...{ passed: 1_340, passedLastDay: 25, left: { unsubscribed: 2, filtered: 1 }, edges: [] },
  };

  it("have who is here, who passed, and who left", () => {
    expect(countsText(node)).toBe("12 here · 1,340 passed · 25 in 24 h · 3 left");
    expect(countsText({ ...node, waiting: 0, passed: 0, passedLastDay: 0, left: {} })).toBe("0 here · 0 passed");
  });

  it("say of the exit who came through", () => {
    const exit = { ...node, typeName: "ExitAction", waiting: 0, passed: 0, passedLastDay: 0 };
    expect(countsText({ ...exit, left: { completed: 7, filter_stopped: 1 } })).toBe("7 came through · 1 left");
  });

  it("have each reason as a sentence, and one that is new too", () => {
    expect(reasonLines({ unsubscribed: 2, none: 0, some_new_reason: 1 })).toEqual([
      "2 were unsubscribed",
      "1 some new reason",
    ]);
  });
});

it("problems of a dry run stand at their node, several together", () => {
  const problems = problemsByNode([
    { nodeId: "m", message: "No subject." },
    { nodeId: null, message: "No sender." },
    { nodeId: "m", message: "An error." },
  ]);
  expect([...problems]).toEqual([["m", "No subject. An error."]]);
});

it("acts are those that would change something, and a workflow is read often while contacts move", () => {
  expect(actsFor("Draft")).toEqual(["start"]);
  expect(actsFor("Sending")).toEqual(["pause", "stop"]);
  expect(actsFor("PausedAndQueueing")).toEqual(["resume", "stop"]);
  expect(actsFor("Paused")).toEqual(["resume"]);
  expect(pollOf({ status: "Sending", sweeping: false })).toBe(2_000);
  expect(pollOf({ status: "Paused", sweeping: true })).toBe(2_000);
  expect(pollOf({ status: "Paused", sweeping: false })).toBe(15_000);
});
