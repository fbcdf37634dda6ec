import type { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { HostContact } from "./host.ts";
import { remainsOf } from "./remains.ts";
import { atRest, nothingWaitsForNothing } from "./rest.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import { Broken, promise } from "./watch.ts";
import { createWorld, START, type World } from "./world.ts";

export type Result = {
  seed: number;
  /** The promise that was not kept. */
  broken?: string;
  trace: readonly string[];
  hash: string;
  counts: Readonly<Record<string, number>>;
  steps: number;
  /** What stands at the host in the end. */
  contacts: readonly Omit<HostContact, "id">[];
};

const HOUR = 3_600_000;
/** Steps after which a run is not busy but a busy loop. */
const MOST_STEPS = 60_000;
/** Ms after which whatever can be delivered has been, once all is well. */
const IN_TIME = 12 * HOUR;
/** How long all may take to come to rest once all is well: who is never named is waited for. */
const REST = 110 * HOUR;

/** Runs one seed, from the first webhook until nothing is left to do. */
export const run = async (
  storage: DurableObjectStorage,
  seed: number,
  make?: (dependencies: Dependencies) => Engine,
  schedule: Schedule = scheduleOf(seed, START),
): Promise<Result> => {
  const { log } = console;
  const said: string[] = [];
  console.log = (line: unknown) => void said.push(String(line));
  let world: World | undefined;
  let broken: string | undefined;
  let remains: string[] = [];
  try {
    world = createWorld(storage, seed, schedule, make);
    for (const step of schedule.steps) world.timeline.in(step.at, () => world?.perform(step));
    await through(world, said);
    atRest(world);
    if (seed % 8 === 0) await forgotten(world, said);
  } catch (error) {
    broken = error instanceof Broken ? error.message : String((error as Error).stack);
    world?.trace.say(`BROKEN: ${broken}`);
    if (world) remains = remainsOf(world);
  } finally {
    console.log = log;
  }
  const { trace, counts, timeline, host } = world as World;
  return {
    ...{ seed, trace: [...trace.lines, ...remains], hash: trace.hash(), counts, steps: timeline.steps() },
    contacts: host.contacts().map(({ id: _, ...contact }) => contact),
    ...(broken === undefined ? {} : { broken }),
  };
};

const through = async (world: World, said: string[]): Promise<void> => {
  const { timeline, schedule, disk, acknowledged } = world;
  const wellAt = START + schedule.wellAt + 1;
  timeline.in(schedule.wellAt + 1, () => world.resumeAll());
  const open = () => disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n;
  const told = new Set(schedule.steps.flatMap((step) => (step.kind === "webhooks" ? step.webhooks : [])));
  const isDone = () => acknowledged.size === told.size && open() === 0 && world.isStill();
  for (const step of schedule.after)
    timeline.in(step.at, () => {
      if (isDone()) return;
      for (const webhook of step.webhooks) told.add(webhook);
      world.perform(step);
    });
  let checked = false;
  for (;;) {
    if (!(await oneStep(world, said))) return;
    if (timeline.now() < wellAt) continue;
    if (timeline.now() > wellAt + IN_TIME && !checked) {
      checked = true;
      nothingWaitsForNothing(world);
    }
    if (isDone() || timeline.now() > wellAt + REST) return;
  }
};

const oneStep = async (world: World, said: string[]): Promise<boolean> => {
  const more = await world.step();
  promise(world.timeline.steps() < MOST_STEPS, `It has taken ${MOST_STEPS} steps: it runs in circles.`);
  const failed = said.find((line) => /"event":"\w+_failed"/.test(line));
  promise(failed === undefined, `It says: ${failed}`);
  said.length = 0;
  return more;
};

/** A month later nothing is kept but who is who, and nobody wakes up any more for what is gone. */
const forgotten = async (world: World, said: string[]): Promise<void> => {
  const { timeline, disk, count } = world;
  const end = timeline.now() + 40 * 24 * HOUR;
  while ((timeline.next() ?? end) < end) if (!(await oneStep(world, said))) break;
  const left = (query: string) => disk.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${query}`).one().n;
  promise(left("webhooks") === 0, "Webhooks are kept for longer than their retention.");
  promise(
    left("contacts WHERE marks IS NOT NULL") === 0,
    "What was written of people is kept for longer than its retention.",
  );
  count("nothing is left after the retention");
};
