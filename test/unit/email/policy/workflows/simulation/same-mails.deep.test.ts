import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Graph, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { createRandom, type Random } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { createEngine } from "./engine.ts";
import { randomGraph } from "./random-graph.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 20;
/** WORKFLOWS_SAME=300 makes the long run. */
const SEEDS = Array.from({ length: Number(process.env.WORKFLOWS_SAME || 4) }, (_, i) => i + 1);

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Change = {
  workflows?: readonly ("a" | "b")[];
  pauses?: boolean;
  crashes?: number;
  mailers?: number;
  runsOfSlice?: number;
  slices?: number;
  edits?: boolean;
  reversed?: boolean;
};

const graphOf = (random: Random, name: string, isPlain: boolean): Graph => {
  for (;;) {
    const made = randomGraph(random, name);
    if (isPlain && Object.values(made.nodes).some(({ typeName }) => typeName === "ExperimentBranchNode")) continue;
    const root = { ...made.nodes[made.root], typeName: "EventTrigger", eventName: name, reEligible: true };
    return { ...made, nodes: { ...made.nodes, [made.root]: root as WorkflowNode } };
  }
};

type Event = { at: number; userId: string; eventName: string };

const mailsOf = async (seed: number, change: Change): Promise<{ mails: string[]; times: string[] }> => {
  const random = createRandom(seed);
  const graphs = {
    a: graphOf(random, "a", change.reversed !== undefined),
    b: graphOf(random, "b", change.reversed !== undefined),
  };
  const users = Array.from({ length: 5 }, (_, i) => ({
    userId: `u${i}`,
    email: `u${i}@example.com`,
    plan: random.one(["free", "pro", "PRÖ"]),
    seats: random.int(0, 6),
  }));
  const events: Event[] = Array.from({ length: 25 }, () => ({
    at: random.int(HOUR, DAYS * DAY),
    userId: random.one(users).userId,
    eventName: random.one(["a", "b"]),
  })).sort((one, other) => one.at - other.at);
  // Separate random numbers, so that one change does not move others.
  const own = createRandom(seed + 1_000);

  const timeline = createTimeline(START);
  const userOf = new Map<number, string>();
  const mails: string[] = [];
  const times: string[] = [];
  const engine = createEngine({
    timeline,
    now: timeline.now,
    random: createRandom(seed + 2_000),
    bug: {},
    claimed: () => {},
    sliced: () => {},
    trouble: 0,
    mailers: () => change.mailers ?? 1,
    isDoubleOptIn: false,
    slices: change.slices ?? 20,
    runsOfSlice: change.runsOfSlice ?? 50,
    failed: (error) => {
      throw error;
    },
    withMailProvider: ({ marketing }) => {
      if (!marketing) return;
      const { message, contact, run } = marketing;
      const { id } = engine.sql.exec<{ id: string }>("SELECT id FROM email_messages WHERE n = ?", message).one();
      const mail = `${id} ${userOf.get(contact.n)} ${run}`;
      mails.push(mail);
      times.push(`${Math.floor((timeline.now() - START) / MINUTE)} ${mail}`);
    },
  });
  const { disk } = engine;
  for (const user of change.reversed ? users.toReversed() : users) engine.update(user);
  for (const { n, user_id } of engine.sql.exec<{ n: number; user_id: string }>("SELECT n, user_id FROM contacts"))
    userOf.set(n, user_id);
  const ids = (change.workflows ?? ["a", "b"]).map((name) => engine.addWorkflow(name, null, graphs[name]));
  for (const id of ids) engine.control(id, "start");

  const open = new Set<Event>();
  const send = (event: Event) => {
    open.add(event);
    engine.send(event);
    void disk.durable(engine.current().life).then(() => open.delete(event));
  };
  for (const event of events) timeline.in(event.at, () => send(event));
  for (let i = change.crashes ?? 0; i > 0; i -= 1) {
    timeline.in(own.int(HOUR, (DAYS + 20) * DAY), () => {
      engine.crash();
      for (const event of [...open]) send(event);
    });
  }
  if (change.pauses)
    for (let day = 1; day < DAYS + 20; day += 2) {
      const id = own.one(ids);
      timeline.in(day * DAY, () => engine.control(id, "pause"));
      timeline.in(day * DAY + own.int(1, 23 * HOUR), () => engine.control(id, "start"));
    }
  if (change.edits)
    for (let day = 1; day < DAYS + 20; day += 1)
      timeline.in(day * DAY + own.int(0, HOUR), () => editAndBack(engine, own.one(ids), timeline.now()));

  let planned = 0;
  for (const end = START + (DAYS + 100) * DAY; (timeline.next() ?? end) < end; ) {
    await timeline.step();
    const at = disk.alarm();
    if (at === undefined || at === planned) continue;
    planned = at;
    timeline.in(Math.max(1, at - timeline.now()), () => {
      if (planned === at) planned = 0;
      if (disk.alarm() === at) void engine.current().alarm();
    });
  }
  disk.close();
  return { mails: mails.sort(), times: times.sort() };
};

const editAndBack = (engine: ReturnType<typeof createEngine>, id: string, now: number): void => {
  const { n, graph } = engine.workflow(id);
  const soon = engine.sql.exec("SELECT 1 FROM runs WHERE workflow = ? AND wake < ?", n, now + MINUTE).toArray();
  if (soon.length > 0) return;
  engine.control(id, "pause");
  const edit = (name: "updateNode" | "createNode" | "deleteNode", input: object) => {
    const { revision } = engine.workflow(id);
    return engine.edit(name, { workflowId: id, expectedRevisionId: revision, ...input });
  };
  const timer = Object.entries(graph.nodes).find(([, one]) => one.typeName === "TimerAction");
  if (timer?.[1].typeName === "TimerAction") {
    const [nodeId, { amount, unit }] = timer;
    edit("updateNode", { nodeId, payload: { amount: amount + 7, unit: "h" } });
    edit("updateNode", { nodeId, payload: { amount, unit } });
  }
  const place = { insertMode: "before", nodeTypeName: "TimerAction", toNodeId: graph.exit };
  const { body } = edit("createNode", place) as { body: { node: { id: string } } };
  edit("deleteNode", { nodeId: body.node.id });
  engine.control(id, "start");
};

describe.each(SEEDS)("the mails of a schedule (seed %i)", (seed) => {
  let played: ReturnType<typeof mailsOf> | undefined;
  const unchanged = () => (played ??= mailsOf(seed, {}));

  it("are the same with pauses, crashes, and slices and Mailers of any number", async () => {
    const { mails } = await unchanged();
    expect(mails.length).toBeGreaterThan(0);
    expect((await mailsOf(seed, { pauses: true })).mails).toEqual(mails);
    expect((await mailsOf(seed, { crashes: 40 })).mails).toEqual(mails);
    expect((await mailsOf(seed, { pauses: true, crashes: 40, runsOfSlice: 2, slices: 1 })).mails).toEqual(mails);
    expect((await mailsOf(seed, { mailers: 4, runsOfSlice: 1 })).mails).toEqual(mails);
  });

  it("are the same for two workflows together and apart", async () => {
    const { mails } = await unchanged();
    const apart = [await mailsOf(seed, { workflows: ["a"] }), await mailsOf(seed, { workflows: ["b"] })];
    expect(apart.flatMap((one) => one.mails).sort()).toEqual(mails);
  });

  it("are the same for contacts in another order", async () => {
    const { mails } = await mailsOf(seed, { reversed: false });
    expect((await mailsOf(seed, { reversed: true })).mails).toEqual(mails);
  });

  it("leave at the same times with an edit and its opposite in a pause in which nothing is due", async () => {
    const { times } = await unchanged();
    expect((await mailsOf(seed, { edits: true })).times).toEqual(times);
  });
});
