import { Engine } from "../../../src/outbox/engine.ts";
import { RESENT_FOR } from "../../../src/outbox/model/config.ts";
import { acceptedAt } from "../../../src/outbox/model/delivery-state.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import { createCallers } from "./callers.ts";
import { type Broken, createChecks, promise } from "./checks.ts";
import { createDisk } from "./disk.ts";
import { createModel } from "./model.ts";
import { createNetwork } from "./network.ts";
import { createObject } from "./object.ts";
import { createRandom } from "./random.ts";
import type { Ambush, Schedule } from "./schedule.ts";
import { createService } from "./service.ts";
import { createTimeline } from "./timeline.ts";
import { createTrace } from "./trace.ts";

/** The begin of every run, Unix ms. */
export const START = 1_780_000_000_000;

export type Foundation = ReturnType<typeof createFoundation>;

const createFoundation = (storage: DurableObjectStorage, seed: number, schedule: Schedule) => {
  const timeline = createTimeline(START);
  const trace = createTrace(() => timeline.now() - START);
  const counts: Record<string, number> = {};
  const random = createRandom(seed ^ 0x5bd1e995);
  const randomOf = { disk: random.fork(), net: random.fork(), life: random.fork(), providers: random.fork() };
  const clock = { offset: 0, setBack: 0, setForwardAt: Number.NEGATIVE_INFINITY };
  const guard = schedule.beside ? 20 : 100;
  const stall = (from: typeof random) => (from.chance(0.02) ? from.int(20, 1_500) : 0);

  const ground = {
    seed,
    schedule,
    timeline,
    trace,
    counts,
    randomOf,
    count: (what: string, by = 1): void => {
      counts[what] = (counts[what] ?? 0) + by;
    },
    /** The time on the object's machine, Unix ms. */
    wall: () => Math.floor(timeline.now() + clock.offset),
    /** True for a webhook that the size limit may have deleted, if all its deliveries are settled. */
    mayBeGone: (seq: number): boolean => schedule.small && ground.wall() - acceptedAt(seq) >= RESENT_FOR,
    setClock: (by: number): void => {
      clock.offset += by;
      clock.setBack += Math.max(0, -by);
      if (by > 0) clock.setForwardAt = timeline.now();
    },
    setForwardAt: () => clock.setForwardAt,
    /** Ms one way to the email service, without jitter. */
    base: schedule.beside ? 1 : 15,
    /** Extra ms on the way. All ways and the disk stay within the guard, unless there are stalls. */
    jitter: () => (schedule.stalls ? stall(randomOf.net) : randomOf.net.next() * guard * 0.55),
    broken: undefined as Error | undefined,
    /** Runs a check in a callback of the product, which must not throw: a broken promise is thrown after the step. */
    note: (check: () => void): void => {
      try {
        check();
      } catch (error) {
        ground.broken ??= error as Broken;
      }
    },
    on: { alarmSet: () => {}, moment: (_: Ambush) => {} },
    downtime: {
      interrupted: 0,
      interruptedSince: undefined as number | undefined,
      paused: 0,
      pauses: new Map<string, number>(),
    },
    disk: createDisk(
      storage,
      timeline,
      () => (schedule.stalls ? 1 + stall(randomOf.disk) : Math.ceil(guard * 0.35 * randomOf.disk.next())),
      (before, at) => {
        // An alarm that is overdue counts as lost, and is set to now.
        const later = before !== null && at !== null && at > ground.wall() ? at - before : 0;
        ground.note(() => promise(later <= 0, `The alarm was set to ${later} ms later than before.`));
        ground.on.alarmSet();
      },
    ),
    service: createService(schedule, random.fork()),
  };
  const all = [...schedule.steps, ...schedule.after].flatMap((step) => (step.kind === "webhooks" ? step.webhooks : []));
  const webhooks = [...new Map(all.map((webhook) => [webhook.name, webhook])).values()];
  const model = createModel(ground.disk.sql, webhooks, ground.mayBeGone);
  const since = (from: number | undefined) => (from === undefined ? 0 : ground.wall() - from);
  const checks = createChecks(model, {
    now: timeline.now,
    wall: ground.wall,
    setBack: () => clock.setBack,
    downtime: () =>
      ground.downtime.interrupted +
      since(ground.downtime.interruptedSince) +
      [...ground.downtime.pauses.values()].reduce((sum, from) => sum + since(from), ground.downtime.paused),
    count: ground.count,
  });
  return Object.assign(ground, { webhooks, model, checks });
};

export type World = ReturnType<typeof createWorld>;

/**
 * The Outbox's code in a simulated world: a seed decides the disk, clock, network, email service and callers.
 *
 * @param make builds the engine, or one with a planted bug
 */
export const createWorld = (
  storage: DurableObjectStorage,
  seed: number,
  schedule: Schedule,
  make: (dependencies: Dependencies) => Engine = (dependencies) => new Engine(dependencies),
) => {
  const ground = createFoundation(storage, seed, schedule);
  const network = createNetwork(ground);
  const object = createObject(ground, network.send, make);
  const callers = createCallers(ground, object, network);
  return Object.assign(ground, {
    acts: network.acts,
    process: object.process,
    perform: callers.perform,
    resumeAll: callers.resumeAll,
    acknowledged: callers.acknowledged,
    isStill: () => (object.process()?.inFlight.size ?? 0) === 0 && network.late() === 0,
    step: async (): Promise<boolean> => {
      const more = await ground.timeline.step();
      if (ground.broken) throw ground.broken;
      ground.disk.flush();
      return more;
    },
  });
};
