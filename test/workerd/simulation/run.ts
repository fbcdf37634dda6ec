import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import { Broken, promise } from "./checks.ts";
import { checkEnd, checkNothingWaits, checkQuotas } from "./end-checks.ts";
import { leftoversOf } from "./leftovers.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import type { ServiceContact } from "./service.ts";
import { createWorld, START, type World } from "./world.ts";

export type Result = {
  seed: number;
  broken?: string;
  trace: readonly string[];
  hash: string;
  counts: Readonly<Record<string, number>>;
  steps: number;
  contacts: readonly Omit<ServiceContact, "id" | "changed">[];
};

const HOUR = 3_600_000;
/** A delivery that the email service never answers well is tried for 72 h, with a probe of five steps each 10 s. */
const MAX_STEPS = 200_000;
/** For an engine with a planted bug, which may loop without an end. */
const MAX_STEPS_WITH_BUG = 40_000;
/** Ms until every possible delivery is done, from the time when the email service is healthy. */
const DELIVERED_WITHIN = 12 * HOUR;
/** Ms until every delivery is settled, including those undecided without an identity link. */
const SETTLED_WITHIN = 110 * HOUR;

/** Runs one seed, from the first webhook until every delivery is settled. */
export const run = async (
  storage: DurableObjectStorage,
  seed: number,
  make?: (dependencies: Dependencies) => Engine,
  schedule: Schedule = scheduleOf(seed, START),
): Promise<Result> => {
  const { log } = console;
  const logs: string[] = [];
  console.log = (line: unknown) => void logs.push(String(line));
  let world: World | undefined;
  let broken: string | undefined;
  let remains: string[] = [];
  try {
    world = createWorld(storage, seed, schedule, make);
    for (const step of schedule.steps) world.timeline.in(step.at, () => world?.perform(step));
    await runToEnd(world, logs, make === undefined ? MAX_STEPS : MAX_STEPS_WITH_BUG);
    checkQuotas(world);
    checkEnd(world);
    if (seed % 8 === 0) await checkRetention(world, logs);
  } catch (error) {
    broken = error instanceof Broken ? error.message : String((error as Error).stack);
    world?.trace.say(`BROKEN: ${broken}`);
    if (world) remains = leftoversOf(world);
  } finally {
    console.log = log;
  }
  const { trace, counts, timeline, service } = world as World;
  return {
    seed,
    trace: [...trace.lines, ...remains],
    hash: trace.hash(),
    counts,
    steps: timeline.steps(),
    contacts: service.contacts().map(({ id: _, changed: __, ...contact }) => contact),
    ...(broken === undefined ? {} : { broken }),
  };
};

const runToEnd = async (world: World, logs: string[], most: number): Promise<void> => {
  const { timeline, schedule, disk, acknowledged } = world;
  const healthyAt = START + schedule.healthyAt + 1;
  timeline.in(schedule.healthyAt + 1, () => world.resumeAll());
  const open = () => disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n;
  const sent = new Set(schedule.steps.flatMap((step) => (step.kind === "webhooks" ? step.webhooks : [])));
  const isDone = () => acknowledged.size === sent.size && open() === 0 && world.isStill();
  for (const step of schedule.after)
    timeline.in(step.at, () => {
      if (isDone()) return;
      for (const webhook of step.webhooks) sent.add(webhook);
      world.perform(step);
    });
  let checked = false;
  for (;;) {
    if (!(await oneStep(world, logs, most))) return;
    if (timeline.now() < healthyAt) continue;
    if (timeline.now() > healthyAt + DELIVERED_WITHIN && !checked) {
      checked = true;
      checkNothingWaits(world);
    }
    if (isDone() || timeline.now() > healthyAt + SETTLED_WITHIN) return;
  }
};

const oneStep = async (world: World, logs: string[], most = MAX_STEPS): Promise<boolean> => {
  const more = await world.step();
  promise(world.timeline.steps() < most, `More than ${most} steps: an endless loop.`);
  const failed = logs.find((line) => /"event":"\w+_failed"/.test(line));
  promise(failed === undefined, `A failure was logged: ${failed}`);
  logs.length = 0;
  return more;
};

const checkRetention = async (world: World, logs: string[]): Promise<void> => {
  const { timeline, disk, count } = world;
  const end = timeline.now() + 40 * 24 * HOUR;
  while ((timeline.next() ?? end) < end) if (!(await oneStep(world, logs))) break;
  const left = (query: string) => disk.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${query}`).one().n;
  promise(left("webhooks") === 0, "Webhooks are stored for longer than the retention.");
  promise(
    left("contacts WHERE next_key IS NULL AND email IS NULL") === 0,
    "Watermarks without a link are stored for longer than the retention.",
  );
  count("nothing is left after the retention");
};
