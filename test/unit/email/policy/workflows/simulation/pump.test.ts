import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { travel } from "../../../../../../src/email/policy/workflows/run/travel.ts";
import type { Graph, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { contactOf, team } from "../run/graphs.ts";
import { type Bug, createEngine } from "./engine.ts";
import { randomGraph } from "./random-graph.ts";

const MINUTE = 60_000;

const logged: Record<string, unknown>[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "log").mockImplementation((line) => void logged.push(JSON.parse(String(line))));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const mailOf = (name: string, eventName: string): Graph => ({
  root: `t_${name}`,
  exit: `x_${name}`,
  lastK: 3,
  nodes: {
    [`t_${name}`]: { typeName: "EventTrigger", k: 1, nextNodeIds: [`e_${name}`], eventName, reEligible: false },
    [`e_${name}`]: { typeName: "SendEmailAction", k: 2, nextNodeIds: [`x_${name}`], emailMessageId: `msg_${name}` },
    [`x_${name}`]: { typeName: "ExitAction", k: 3, nextNodeIds: [] },
  } satisfies Record<string, WorkflowNode>,
});

type Queued = { n: number; message: string; at: number };
const QUEUED = `SELECT s.n, m.id AS message, s.created_at AS at FROM sends s
  JOIN message_revisions r ON r.n = s.revision JOIN email_messages m ON m.n = r.message ORDER BY s.n`;

const start = (bug: Bug = {}, most = 20) => {
  const timeline = createTimeline(Date.UTC(2026, 0, 1));
  const slices: string[] = [];
  const queued = new Map<number, Queued>();
  const engine = createEngine({
    timeline,
    now: timeline.now,
    random: createRandom(1),
    bug,
    claimed: () => {},
    withMailProvider: () => {},
    trouble: 0,
    failed: () => {},
    mailers: () => 0,
    slices: most,
    runsOfSlice: 50,
    isDoubleOptIn: false,
    sliced: () => {
      slices.push(ended());
      for (const mail of engine.sql.exec<Queued>(QUEUED)) queued.set(mail.n, mail);
    },
  });
  const ended = () =>
    engine.sql
      .exec<{ name: string; n: number }>(
        "SELECT w.name, count(*) AS n FROM runs JOIN workflows w ON w.n = runs.workflow WHERE ended IS NOT NULL GROUP BY 1 ORDER BY 1",
      )
      .toArray()
      .map(({ name, n }) => `${name}:${n}`)
      .join(" ");
  const rings = async (minutes: number) => {
    const end = timeline.now() + minutes * MINUTE;
    timeline.in(minutes * MINUTE, () => {});
    let planned = 0;
    while (timeline.now() < end) {
      const at = engine.disk.alarm() ?? 0;
      if (at !== 0 && at !== planned) {
        planned = at;
        timeline.in(Math.max(1, at - timeline.now()), () => {
          planned = 0;
          if (engine.disk.alarm() === at) void engine.current().alarm();
        });
      }
      await timeline.step();
    }
  };
  const add = (name: string) => {
    const id = engine.addWorkflow(name, null, mailOf(name, name));
    engine.control(id, "start");
    return id;
  };
  return { timeline, engine, slices, queued, ended, rings, add };
};

const turns = async (bug: Bug = {}, most = 20) => {
  const { engine, slices, rings, add } = start(bug, most);
  const [a, b] = [add("a"), add("b")];
  for (const id of [a, b]) engine.control(id, "pause");
  for (let i = 0; i < 220; i += 1) engine.send({ userId: `u${i}`, eventName: "a" });
  engine.send({ userId: "u0", eventName: "b" });
  for (const id of [a, b]) engine.control(id, "start");
  await rings(1);
  engine.disk.close();
  return slices;
};

it("workflows take turns: one with many due runs does not keep another one waiting", async () => {
  const slices = await turns();
  expect(slices.slice(0, 3)).toEqual(["a:50", "a:50 b:1", "a:100 b:1"]);
  expect(slices.at(-1)).toBe("a:220 b:1");
});

it("workflows take turns also when each call of the pump takes one slice", async () => {
  const slices = await turns({}, 1);
  expect(slices.slice(0, 3)).toEqual(["a:50", "a:50 b:1", "a:100 b:1"]);
});

it("workflows that are worked off one after the other would be seen", async () => {
  const slices = await turns({
    mutate: (query) => query.replace(/(FROM runs WHERE workflow = \S+ AND wake <= \?\) ORDER BY n)$/, "$1 LIMIT 1"),
  });
  expect(slices.slice(0, 3)).toEqual(["a:50", "a:100", "a:150"]);
});

it("a run that fails again and again is given up, and holds up no other run", async () => {
  const { engine, ended, rings, add } = start({
    step: (real) => (flow, run, facts, now) => {
      if (facts.contact.userId === "u3") throw new Error("poison");
      return real(flow, run, facts, now);
    },
  });
  add("a");
  for (let i = 0; i < 8; i += 1) engine.send({ userId: `u${i}`, eventName: "a" });
  await rings(1);
  expect(ended()).toBe("a:7");
  await rings(15);
  const [run] = engine.sql.exec("SELECT ended, wake FROM runs WHERE ended <> 'completed'").toArray();
  expect(run).toEqual({ ended: "fault", wake: null });
  expect(logged.filter(({ event }) => event === "run_failed").map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5]);
  engine.disk.close();
});

it("a run that fails is given up also when the process restarts after each failure", async () => {
  const { engine, rings, add } = start({
    step: () => () => {
      throw new Error("poison");
    },
  });
  add("a");
  engine.send({ userId: "u1", eventName: "a" });
  for (let minutes = 0; minutes < 15; minutes += 1) {
    await rings(1);
    engine.crash();
  }
  expect(engine.sql.exec("SELECT ended, wake FROM runs").toArray()).toEqual([{ ended: "fault", wake: null }]);
  const counts = logged.filter(({ event }) => event === "run_failed").map(({ failures }) => failures);
  expect([...new Set(counts)]).toEqual([1, 2, 3, 4, 5]);
  engine.disk.close();
});

it("a mail of a step that fails is not queued", async () => {
  let failing = true;
  const { engine, rings, add } = start({
    step: (real) => (flow, run, facts, now) => {
      const taken = real(flow, run, facts, now);
      return failing ? { ...taken, position: { node: null as unknown as number, ended: "completed" } } : taken;
    },
  });
  add("a");
  engine.send({ userId: "u1", email: "u1@example.com", eventName: "a" });
  await rings(0.5);
  const mails = () => engine.sql.exec("SELECT state FROM sends").toArray();
  expect(mails()).toEqual([]);
  failing = false;
  await rings(3);
  expect(mails()).toEqual([{ state: "queued" }]);
  engine.disk.close();
});

it.each(Array.from({ length: 25 }, (_, i) => i + 1))(
  "60 days of a workflow are the same in time travel and in the engine (seed %i)",
  async (seed) => {
    const { engine, queued, rings, timeline } = start();
    const random = createRandom(seed);
    const made = randomGraph(random, "w");
    const root = {
      ...made.nodes[made.root],
      typeName: "EventTrigger",
      eventName: "paid",
      reEligible: false,
    } as WorkflowNode;
    const graph = { ...made, nodes: { ...made.nodes, [made.root]: root } };
    engine.control(engine.addWorkflow("w", null, graph), "start");
    const properties = { plan: random.one(["free", "pro", "PRÖ"]), seats: random.int(0, 6) };
    const from = timeline.now();
    engine.send({ userId: "u1", email: "u1@example.com", eventName: "paid", contactProperties: properties });
    await rings(60 * 1_440);
    const { id } = engine.sql.exec<{ id: string }>("SELECT id FROM contacts").one();
    const played = travel({
      graph,
      list: null,
      team,
      contact: contactOf({ properties }, { id }),
      hasActivity: () => false,
      assume: [],
      from,
      days: 60,
      nameOf: () => undefined,
      rowOf: () => undefined,
    });
    const [run] = engine.sql
      .exec<{ ended: string | null; node: number; wake: number | null }>("SELECT ended, node, wake FROM runs")
      .toArray();
    const inSeconds = (at: number | null) => at && Math.round((at - from) / 1_000);
    const { run: last } = played;
    expect({ ...run, wake: inSeconds(run?.wake ?? null) }).toEqual({
      ended: last.ended,
      node: last.node,
      wake: inSeconds(last.wake),
    });
    expect([...queued.values()].map(({ message, at }) => [message, inSeconds(at)])).toEqual(
      played.mails.map(({ message, at }) => [message, inSeconds(at)]),
    );
    engine.disk.close();
  },
);
