import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dryRun } from "../../../../../../src/email/workspace/operator/workflows/dry-run.ts";
import { statusOf } from "../../../../../../src/email/workspace/workflows/runs/status.ts";
import type { Graph, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { createRandom, type Random } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { createEngine } from "./engine.ts";
import { randomGraph } from "./random-graph.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const SEEDS = 40;
/** Each timer of the engine ends up to a second late: it is rounded up to the second. */
const LATE = MINUTE;

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

const eventGraph = (random: Random): Graph => {
  const graph = randomGraph(random, "w", true);
  if (graph.nodes[graph.root]?.typeName !== "EventTrigger") return eventGraph(random);
  const mails = Object.values(graph.nodes).flatMap((one) =>
    one.typeName === "SendEmailAction" ? [one.emailMessageId] : [],
  );
  const asked = (one: WorkflowNode): WorkflowNode => {
    if (one.typeName !== "AudienceFilter" || mails.length === 0 || random.chance(0.5)) return one;
    const what = { type: "activity", action: "sent", target: "workflowEmail" } as const;
    const condition = { ...what, negate: random.chance(0.5), id: random.one(mails) };
    return { ...one, appliesDownstream: true, audienceFilter: { match: "all", conditions: [condition] } };
  };
  return { ...graph, nodes: Object.fromEntries(Object.entries(graph.nodes).map(([id, one]) => [id, asked(one)])) };
};

const play = async (seed: number) => {
  const random = createRandom(seed);
  const timeline = createTimeline(Date.UTC(2026, 0, 1));
  const engine = createEngine({
    timeline,
    now: timeline.now,
    random: random.fork(),
    bug: {},
    sliced: () => {},
    claimed: () => {},
    trouble: 0,
    mailers: () => 0,
    slices: 20,
    runsOfSlice: 50,
    isDoubleOptIn: false,
    withMailProvider: () => {},
    failed: (error) => {
      throw error;
    },
  });
  const { sql, disk } = engine;
  sql.exec(`CREATE TRIGGER sent AFTER INSERT ON engagement BEGIN
    UPDATE engagement SET sent_at = (SELECT created_at FROM sends WHERE n = NEW.send AND state = 'queued')
    WHERE contact = NEW.contact AND message = NEW.message AND run = NEW.run; END`);
  const people = Array.from({ length: 6 }, (_, i) => `u${i}`);
  for (const userId of people) {
    engine.update({
      userId,
      plan: random.one(["free", "pro", "PRÖ", null]),
      seats: random.int(0, 6),
      ...(random.chance(0.9) ? { email: `${userId}@example.com` } : {}),
      subscribed: random.chance(0.9),
      mailingLists: { lst_1: random.chance(0.8) },
    });
  }
  engine.suppress("u1@example.com");
  const id = engine.addWorkflow("w", random.chance(0.4) ? "lst_1" : null, eventGraph(random));
  engine.control(id, "start");

  const rings = async (until: number) => {
    timeline.in(until - timeline.now(), () => {});
    let planned = 0;
    while (timeline.now() < until) {
      const at = disk.alarm() ?? 0;
      if (at !== 0 && at !== planned) {
        planned = at;
        timeline.in(Math.max(1, at - timeline.now()), () => {
          planned = 0;
          if (disk.alarm() === at) void engine.current().alarm();
        });
      }
      await timeline.step();
    }
  };
  const start = timeline.now();
  const days = random.int(1, 20);
  for (let i = random.int(1, 60); i > 0; i -= 1) {
    const event = { userId: random.one(people), eventName: random.one(["paid", "seen", "Paid"]) };
    timeline.in(random.int(MINUTE, days * DAY), () => engine.send(event));
  }
  const isClose = () =>
    sql.exec("SELECT 1 FROM runs WHERE wake <= ?1 + ?2 OR since > ?1 - ?2", timeline.now(), LATE).toArray().length > 0;
  await rings(start + days * DAY + MINUTE);
  while (isClose()) await rings(timeline.now() + LATE);

  const context = engine.contextOf();
  const status = statusOf(context, engine.workflow(id));
  const answer = await dryRun(context, { team: "t", workflowId: id, days: (timeline.now() - start) / DAY });
  disk.close();
  if (!("body" in answer)) throw new Error(answer.refusal.message);
  return { status, answer: answer.body as Answer };
};

type Counts = Record<string, number>;
type Answer = {
  entered: number;
  notEntered: Counts;
  ended: Counts;
  mails: { nodeId: string; count: number; notSent: number }[];
  waiting: { nodeId: string; count: number }[];
};

it(`a dry run over the events equals what the engine did with them (seeds 1 to ${SEEDS})`, async () => {
  const reached: Counts = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { status, answer } = await play(seed);
    const { entered, ended, dropped, nodes } = status;
    const mails = nodes.flatMap(({ nodeId, mails: of }) => {
      if (!of) return [];
      const { notSent, ...others } = of;
      return [{ nodeId, count: Object.values(others).reduce((sum, one) => sum + one, 0), notSent }];
    });
    const waiting = nodes.flatMap(({ nodeId, waiting: count }) => (count > 0 ? [{ nodeId, count }] : []));
    const told = {
      entered: answer.entered,
      ended: answer.ended,
      notEntered: answer.notEntered,
      mails: answer.mails.map(({ nodeId, count, notSent }) => ({ nodeId, count, notSent })),
      waiting: answer.waiting.map(({ nodeId, count }) => ({ nodeId, count })),
    };
    expect(told, `seed ${seed}`).toEqual({ entered, ended, notEntered: dropped, mails, waiting });
    for (const [what, count] of Object.entries({
      ...ended,
      ...dropped,
      entered,
      waiting: waiting.length,
      mails: mails.reduce((sum, { count }) => sum + count, 0),
      notSent: mails.reduce((sum, { notSent }) => sum + notSent, 0),
    }))
      reached[what] = (reached[what] ?? 0) + count;
  }
  for (const what of [
    "completed",
    "filtered",
    "filter_stopped",
    "no_branch",
    "unsubscribed",
    "left_list",
    "entered_before",
    "entered",
    "mails",
    "notSent",
    "waiting",
  ])
    expect(reached[what], what).toBeGreaterThan(0);
}, 600_000);
