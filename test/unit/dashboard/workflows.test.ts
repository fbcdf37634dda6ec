import { describe, expect, it } from "vitest";
import { problemsByNode } from "../../../src/dashboard/app/pages/workflows/acts/problems.ts";
import { countsText, looksOf } from "../../../src/dashboard/app/pages/workflows/looks.ts";
import { nestedOf } from "../../../src/dashboard/app/pages/workflows/nested.ts";
import { canStop, mainActFor, pollOf } from "../../../src/dashboard/app/pages/workflows/state.ts";
import { people, reasonFacts } from "../../../src/dashboard/app/pages/workflows/words.ts";
import { edgesOf } from "../../../src/dashboard/app/parts/graph/edge.ts";
import { type Box, layoutOf, shapesOf } from "../../../src/dashboard/app/parts/graph/layout.ts";
import type { Entry } from "../../../src/dashboard/app/parts/graph/types.ts";
import { walk } from "../../../src/dashboard/app/parts/graph/walk.ts";
import { threadTime } from "../../thread-time.ts";
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

const middle = ({ boxes }: ReturnType<typeof layoutOf>, id: string): number => {
  const { x = Number.NaN, width = 0 } = boxes.get(id) ?? {};
  return x + width / 2;
};

const crossings = ({ nodes }: Shape, laid: ReturnType<typeof layoutOf>): string[] => {
  const lines = Object.entries(nodes).flatMap(([id, { nextNodeIds }]) =>
    nextNodeIds.map((next) => {
      const ends = (laid.passed.get(`${id} ${next}`) ?? []).flatMap(({ x, y }) => [
        { x, y: y - 30 },
        { x, y: y + 30 },
      ]);
      const { y, height } = laid.boxes.get(id) as Box;
      const first = { x: middle(laid, id), y: y + height };
      return { id, next, points: [first, ...ends, { x: middle(laid, next), y: (laid.boxes.get(next) as Box).y }] };
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
  const overlaps = (boxes: ReadonlyMap<string, Box>): boolean => {
    const all = [...boxes.values()];
    const meets = (a: Box, b: Box) =>
      a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
    return all.some((a, i) => all.slice(i + 1).some((b) => meets(a, b)));
  };

  it("has each node below those that lead to it, and no two in one place", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const { nodes } = randomGraph(createRandom(seed), "g", true);
      const { boxes } = layoutOf(nodes);
      expect(overlaps(boxes), `seed ${seed}`).toBe(false);
      for (const [id, { nextNodeIds }] of Object.entries(nodes))
        for (const next of nextNodeIds)
          expect(boxes.get(next)?.y, `seed ${seed}: ${id} ${next}`).toBeGreaterThan(boxes.get(id)?.y ?? 0);
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
    const laid = layoutOf(wide.nodes);
    const xs = ["f1", "f2", "f3"].map((id) => middle(laid, id));
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    expect(new Set(xs).size).toBe(3);
  });

  it("has each path below its fork, from left to right, and no edges that cross, where paths do not join", () => {
    for (let seed = 1; seed <= 80; seed += 1) {
      const shape = apart(seed);
      const laid = layoutOf(shape.nodes);
      const x = (id: string) => middle(laid, id);
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
    const laid = layoutOf(sample.nodes);
    const x = (id: string) => middle(laid, id);
    expect([x("m1"), x("w2")]).toEqual([x("f1"), x("f1")]);
    expect(x("f1")).toBeLessThan(x("f2"));
    expect(crossings(sample, laid)).toEqual([]);
  });

  it("takes 300 nodes in a second", () => {
    const ids = Array.from({ length: 300 }, (_, i) => (i === 0 ? "t" : i === 299 ? "x" : `w${i}`));
    const chain = graphOf(Object.fromEntries(ids.map((id, i) => [id, ids.slice(i + 1, i + 2)])));
    expect(threadTime(() => expect(layoutOf(chain.nodes).boxes.size).toBe(300))).toBeLessThan(5_000);
  });
});

describe("the drawing of a graph", () => {
  const { nodes } = JOINED;
  const laid = layoutOf(nodes);

  it("has a round fork, what begins a way as its name, and the other steps as cards", () => {
    expect(Object.fromEntries(shapesOf(nodes))).toEqual({
      t: "card",
      w1: "card",
      b: "fork",
      f1: "way",
      f2: "way",
      m1: "card",
      w2: "card",
      x: "card",
    });
  });

  it("has a line and a place for a new step on every edge, within the drawing and on no step", () => {
    const edges = edgesOf(nodes, laid);
    expect(edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(
      Object.entries(nodes)
        .flatMap(([from, { nextNodeIds }]) => nextNodeIds.map((to) => `${from} ${to}`))
        .sort(),
    );
    expect(new Set(edges.map(({ plus: { x, y } }) => `${x} ${y}`)).size).toBe(edges.length);
    for (const { from, to, path, plus } of edges) {
      expect(path, `${from} ${to}`).toMatch(/^M[\d. VHQ-]+$/);
      const isOn = [...laid.boxes.values()].some(
        ({ x, y, width, height }) => plus.x > x && plus.x < x + width && plus.y > y && plus.y < y + height,
      );
      expect(isOn, `${from} ${to}`).toBe(false);
      expect([plus.x > 0 && plus.x < laid.width, plus.y > 0 && plus.y < laid.height]).toEqual([true, true]);
    }
  });
});

describe("the arrows", () => {
  const { boxes } = layoutOf(JOINED.nodes);
  const go = (from: string, ...keys: string[]) =>
    keys.reduce<string | undefined>((at, key) => at && walk(JOINED.nodes, boxes, at, `Arrow${key}`), from);

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
    expect(walk(JOINED.nodes, boxes, "m1", "Home")).toBe("t");
    expect(walk(JOINED.nodes, boxes, "m1", "End")).toBe("x");
    expect(walk(JOINED.nodes, boxes, "m1", "a")).toBeUndefined();
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

  it("have who passed, and who came out there", () => {
    expect(countsText(node)).toBe("1,340 passed · 25 in 24 h · 3 ended here");
    expect(countsText({ ...node, waiting: 0, passed: 0, passedLastDay: 0, left: {} })).toBe("0 passed");
  });

  it("say of the exit who came through", () => {
    const exit = { ...node, typeName: "ExitAction", waiting: 0, passed: 0, passedLastDay: 0 };
    expect(countsText({ ...exit, left: { completed: 7, filter_stopped: 1 } })).toBe("7 came through · 1 ended here");
  });

  it("have each reason with its count, and one that is new too", () => {
    expect(reasonFacts({ unsubscribed: 1_204, none: 0, some_new_reason: 1 })).toEqual([
      { label: "Unsubscribed", value: "1,204" },
      { label: "some new reason", value: "1" },
    ]);
    expect([people(1), people(1_204, "waits", "wait")]).toEqual(["1 person", "1,204 people wait"]);
  });

  const status = (texts: Record<string, string>) =>
    ({
      nodes: Object.entries(texts).map(([nodeId, text]) => ({
        ...node,
        nodeId,
        text,
        typeName: JOINED.nodes[nodeId]?.typeName,
        due: 0,
        left: {},
      })),
    }) as unknown as Parameters<typeof looksOf>[1];
  const shown = { ...JOINED, nodes: { ...JOINED.nodes, m1: { ...JOINED.nodes.m1, subject: "Hello" } } };
  const words = {
    b: "the branch",
    f1: 'the filter ("plan" is "pro")',
    f2: "a filter that everyone matches",
    m1: 'the mail "Hello"',
    w2: "the timer of 3 days",
    x: "the end of the workflow",
  };
  const looks = (texts: Record<string, string>, marks?: Parameters<typeof looksOf>[2]) =>
    looksOf(shown as unknown as Parameters<typeof looksOf>[0], status(texts), marks);
  const names = (texts: Record<string, string>) =>
    Object.fromEntries([...looks(texts)].map(([id, { name }]) => [id, name]));

  it("name steps and ways shortly: the last way without a condition is for everyone else", () => {
    expect(names(words)).toEqual({
      b: "Branch",
      f1: '"plan" is "pro"',
      f2: "Everyone else",
      m1: "Hello",
      w2: "Wait 3 days",
      x: "Out",
    });
  });

  it("say of a way for everyone that nobody is left for those after it", () => {
    const first = looks({ ...words, f1: "a filter that everyone matches" }).get("f1");
    expect([first?.name, first?.notes.map(({ text }: { text: string }) => text)]).toEqual([
      "Everyone",
      ["Everyone takes this way: nobody is left for the ways after it"],
    ]);
    expect(looks(words).get("f2")?.notes).toEqual([]);
  });

  it("have a problem first, then what is not saved, and where a trial came", () => {
    const marks = { traced: ["m1"], problems: new Map([["m1", "No sender."]]), isEdited: (id: string) => id === "m1" };
    expect(looks(words, marks).get("m1")?.notes).toEqual([
      { text: "No sender.", isBad: true },
      { text: "Not saved yet" },
      { text: "The trial came here" },
    ]);
  });
});

it("problems of a dry run stand at their node, several together", () => {
  const problems = problemsByNode([
    { nodeId: "m", code: "mail", message: "No subject." },
    { nodeId: null, code: "mail", message: "No sender." },
    { nodeId: "m", code: "mail", message: "An error." },
  ]);
  expect([...problems]).toEqual([["m", "No subject. An error."]]);
});

it("acts are those that would change something, and a workflow is read often while people move", () => {
  const acts = (["Draft", "Sending", "PausedAndQueueing", "Paused"] as const).map((status) => [
    mainActFor(status),
    canStop(status),
  ]);
  expect(acts).toEqual([
    ["start", false],
    ["pause", true],
    ["resume", true],
    ["resume", false],
  ]);
  expect(pollOf({ status: "Sending", sweeping: false })).toBe(2_000);
  expect(pollOf({ status: "Paused", sweeping: true })).toBe(2_000);
  expect(pollOf({ status: "Paused", sweeping: false })).toBe(15_000);
});
