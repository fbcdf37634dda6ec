import { Engine } from "../../../src/outbox/engine.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import { createDisk } from "./disk.ts";
import { createHost } from "./host.ts";
import { createModel } from "./model.ts";
import { createNetwork } from "./network.ts";
import { createObject } from "./object.ts";
import { createOutside } from "./outside.ts";
import { createRandom } from "./random.ts";
import type { Ambush, Schedule } from "./schedule.ts";
import { createTimeline } from "./timeline.ts";
import { createTrace } from "./trace.ts";
import { type Broken, createWatch, promise } from "./watch.ts";

/** When every run begins, Unix ms. */
export const START = 1_780_000_000_000;

/** What all parts of the world share. */
export type Ground = ReturnType<typeof createGround>;

const createGround = (storage: DurableObjectStorage, seed: number, schedule: Schedule) => {
  const timeline = createTimeline(START);
  const trace = createTrace(() => timeline.now() - START);
  const counts: Record<string, number> = {};
  const random = createRandom(seed ^ 0x5bd1e995);
  const randomOf = { disk: random.fork(), net: random.fork(), life: random.fork(), door: random.fork() };
  const clock = { offset: 0, setBack: 0 };
  const guard = schedule.beside ? 20 : 100;
  const stall = (from: typeof random) => (from.chance(0.02) ? from.int(20, 1_500) : 0);

  const ground = {
    ...{ seed, schedule, timeline, trace, counts, randomOf },
    count: (what: string, by = 1): void => {
      counts[what] = (counts[what] ?? 0) + by;
    },
    /** What the object's machine takes for the time, Unix ms. */
    wall: () => Math.floor(timeline.now() + clock.offset),
    setClock: (by: number): void => {
      clock.offset += by;
      clock.setBack += Math.max(0, -by);
    },
    /** Ms one way to the host, without jitter. */
    base: schedule.beside ? 1 : 15,
    /** What the way takes longer, now and then. Way, disk and way back together stay within the guard. */
    jitter: () => (schedule.stalls ? stall(randomOf.net) : randomOf.net.next() * guard * 0.55),
    broken: undefined as Error | undefined,
    /** Checks where nothing may throw into the product's own code: what is broken is kept until the step is over. */
    note: (check: () => void): void => {
      try {
        check();
      } catch (error) {
        ground.broken ??= error as Broken;
      }
    },
    /** What others want to know of: set by the object. */
    on: { alarmSet: () => {}, moment: (_: Ambush) => {} },
    /** Ms in which nothing may have left, together, by pauses and by people. */
    held: { paused: 0, pausedSince: undefined as number | undefined, stopped: 0, pauses: new Map<string, number>() },
    disk: createDisk(
      storage,
      timeline,
      () => (schedule.stalls ? 1 + stall(randomOf.disk) : Math.ceil(guard * 0.35 * randomOf.disk.next())),
      (before, at) => {
        const later = before !== null && at !== null ? at - before : 0;
        ground.note(() => promise(later <= 0, `The alarm was set to ${later} ms later than it was.`));
        ground.on.alarmSet();
      },
    ),
    host: createHost(schedule, random.fork()),
  };
  const all = [...schedule.steps, ...schedule.after].flatMap((step) => (step.kind === "webhooks" ? step.webhooks : []));
  const webhooks = [...new Map(all.map((webhook) => [webhook.name, webhook])).values()];
  const model = createModel(ground.disk.sql, webhooks);
  const since = (from: number | undefined) => (from === undefined ? 0 : ground.wall() - from);
  const watch = createWatch(model, {
    now: timeline.now,
    wall: ground.wall,
    setBack: () => clock.setBack,
    held: () =>
      ground.held.paused +
      since(ground.held.pausedSince) +
      [...ground.held.pauses.values()].reduce((sum, from) => sum + since(from), ground.held.stopped),
    count: ground.count,
  });
  return Object.assign(ground, { webhooks, model, watch });
};

export type World = ReturnType<typeof createWorld>;

/**
 * The Outbox's own code in a world that a seed decides: disk, clock, network, host, providers and everybody else.
 *
 * @param make builds the engine; another one than the product's has a bug on purpose
 */
export const createWorld = (
  storage: DurableObjectStorage,
  seed: number,
  schedule: Schedule,
  make: (dependencies: Dependencies) => Engine = (dependencies) => new Engine(dependencies),
) => {
  const ground = createGround(storage, seed, schedule);
  const network = createNetwork(ground);
  const object = createObject(ground, network.send, make);
  const outside = createOutside(ground, object, network);
  return Object.assign(ground, {
    acts: network.acts,
    ...{ process: object.process, perform: outside.perform, resumeAll: outside.resumeAll },
    acknowledged: outside.acknowledged,
    /** True while no request is under way. */
    isStill: () => (object.process()?.flying.size ?? 0) === 0,
    /** One thing more happens. False when nothing more will. */
    step: async (): Promise<boolean> => {
      const more = await ground.timeline.step();
      if (ground.broken) throw ground.broken;
      ground.disk.flush();
      return more;
    },
  });
};
