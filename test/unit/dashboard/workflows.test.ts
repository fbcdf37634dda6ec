import { describe, expect, it } from "vitest";
import { problemsByNode } from "../../../src/dashboard/app/pages/workflows/acts/problems.ts";
import { layoutOf, NODE } from "../../../src/dashboard/app/pages/workflows/graph/layout.ts";
import { walk } from "../../../src/dashboard/app/pages/workflows/graph/walk.ts";
import { type Entry, nestedOf } from "../../../src/dashboard/app/pages/workflows/list/nested.ts";
import { actsFor, pollOf } from "../../../src/dashboard/app/pages/workflows/state.ts";
import { countsText, reasonLines } from "../../../src/dashboard/app/pages/workflows/workflow-words.ts";
import { createRandom } from "../../workerd/simulation/random.ts";
import { randomGraph } from "../email/policy/workflows/simulation/random-graph.ts";

type Shape = Parameters<typeof nestedOf>[0];

/** A graph from its edges. The first letter of an id is its type. */
const TYPES: Record<string, string> = {
  t: "EventTrigger",
  w: "TimerAction",
  m: "SendEmailAction",
  f: "AudienceFilter",
  b: "BranchNode",
  x: "ExitAction",
};
const graphOf = (edges: Record<string, string[]>): Shape =>
  ({
    rootNodeId: "t",
    nodes: Object.fromEntries(
      Object.entries(edges).map(([id, nextNodeIds]) => [id, { typeName: TYPES[id.charAt(0)], nextNodeIds }]),
    ),
  }) as Shape;

const JOINED = graphOf({
  t: ["w1"],
  w1: ["b"],
  b: ["f1", "f2"],
  f1: ["m1"],
  m1: ["w2"],
  f2: ["w2"],
  w2: ["x"],
  x: [],
});

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
      t: ["b"],
      b: ["f1", "f2", "f3"],
      f1: ["m1"],
      m1: ["w"],
      f2: ["w"],
      f3: ["x"],
      w: ["x"],
      x: [],
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

const apart = (seed: number): Shape => {
  const random = createRandom(seed);
  const edges: Record<string, string[]> = { t: [] };
  const grow = (from: string, depth: number): void => {
    const isFork = from.startsWith("b");
    const count = isFork ? random.int(2, 4) : 1;
    for (let index = 0; index < count; index += 1) {
      const ends = depth > 4 || random.chance(0.2);
      const id = ends ? "x" : `${isFork ? "f" : random.chance(0.4) ? "b" : "m"}${Object.keys(edges).length}`;
      if (edges[from]?.includes(id)) continue;
      edges[from]?.push(id);
      if (ends) continue;
      edges[id] = [];
      grow(id, depth + 1);
    }
  };
  grow("t", 0);
  return graphOf({ ...edges, x: [] });
};

type At = { x: number; y: number };

const crossings = ({ nodes }: Shape, { positions, passed }: ReturnType<typeof layoutOf>): string[] => {
  const lines = Object.entries(nodes).flatMap(([id, { nextNodeIds }]) =>
    nextNodeIds.map((next) => {
      const ends = (passed.get(`${id} ${next}`) ?? []).flatMap(({ x, y }) => [
        { x, y: y - NODE.height / 2 },
        { x, y: y + NODE.height / 2 },
      ]);
      const at = (one: string, down: number): At => {
        const { x, y } = positions.get(one) as At;
        return { x: x + NODE.width / 2, y: y + down };
      };
      return { id, next, points: [at(id, NODE.height), ...ends, at(next, 0)] };
    }),
  );
  const side = (a: At, b: At, c: At) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const parts = lines.flatMap(({ id, next, points }) =>
    points.slice(1).map((to, index) => ({ name: `${id} ${next}`, id, next, from: points[index] as At, to })),
  );
  return parts.flatMap((one, index) =>
    parts.slice(index + 1).flatMap((two) => {
      if (one.name === two.name) return [];
      const isCrossed =
        side(one.from, one.to, two.from) * side(one.from, one.to, two.to) < 0 &&
        side(two.from, two.to, one.from) * side(two.from, two.to, one.to) < 0;
      return isCrossed ? [`${one.name} × ${two.name}`] : [];
    }),
  );
};

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
      const { positions } = layoutOf({ nodes } as unknown as Shape);
      expect(overlaps(positions), `seed ${seed}`).toBe(false);
      for (const [id, { nextNodeIds }] of Object.entries(nodes))
        for (const next of nextNodeIds)
          expect(positions.get(next)?.y, `seed ${seed}: ${id} ${next}`).toBeGreaterThan(positions.get(id)?.y ?? 0);
    }
  });

  it("has the paths of a branch from left to right", () => {
    const wide = graphOf({
      t: ["b"],
      b: ["f1", "f2", "f3"],
      f1: ["m"],
      m: ["x"],
      f2: ["x"],
      f3: ["m"],
      x: [],
    });
    const { positions } = layoutOf(wide);
    const xs = ["f1", "f2", "f3"].map((id) => positions.get(id)?.x ?? 0);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(new Set(xs).size).toBe(3);
  });

  it("has each path below its fork, from left to right, and no edges that cross, where paths do not join", () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const shape = apart(seed);
      const laid = layoutOf(shape);
      const x = (id: string) => laid.positions.get(id)?.x ?? Number.NaN;
      for (const [id, { nextNodeIds }] of Object.entries(shape.nodes)) {
        const own = nextNodeIds.filter((next) => next !== "x");
        for (const [index, right] of own.slice(1).entries())
          expect(x(own[index] ?? ""), `seed ${seed}: ${id}`).toBeLessThan(x(right));
        const [only] = own;
        if (own.length === 1 && nextNodeIds.length === 1) expect(x(only ?? ""), `seed ${seed}: ${id}`).toBe(x(id));
      }
      expect(crossings(shape, laid), `seed ${seed}`).toEqual([]);
    }
  });

  it("draws the sample of the service without a mail on the side of another path", () => {
    const sample = graphOf({
      t: ["w1"],
      w1: ["b"],
      b: ["f1", "f2"],
      f1: ["m1"],
      f2: ["x"],
      m1: ["w2"],
      w2: ["x"],
      x: [],
    });
    const laid = layoutOf(sample);
    const x = (id: string) => laid.positions.get(id)?.x ?? Number.NaN;
    expect([x("m1"), x("w2")]).toEqual([x("f1"), x("f1")]);
    expect(x("f1")).toBeLessThan(x("f2"));
    expect(crossings(sample, laid)).toEqual([]);
  });

  it("takes 300 nodes in a second", () => {
    const ids = Array.from({ length: 300 }, (_, i) => (i === 0 ? "t" : i === 299 ? "x" : `w${i}`));
    const chain = graphOf(Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)])));
    const started = performance.now();
    expect(layoutOf(chain).positions.size).toBe(300);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("the arrows", () => {
  const { positions } = layoutOf(JOINED);
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
    nodeId: "w",
    typeName: "TimerAction",
    text: "the timer",
    waiting: 12,
    due: 0,
    nextWake: null,
    passed: 1_340,
    passedLastDay: 25,
    left: { unsubscribed: 2, filtered: 1 },
    edges: [],
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
