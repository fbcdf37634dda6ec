import type { Disk, Runtime } from "../../../src/outbox/model/dependencies.ts";
import { createTimeline } from "../simulation/timeline.ts";

/** One process of the object. Its timers end with it. */
export type Life = { alive: boolean };

/** Idle turns of the event loop until the object counts as idle. A read of a body takes a few turns. */
const QUIET_TURNS = 4;

export type Clock = ReturnType<typeof createClock>;

/**
 * The clock, timers and alarm of one Outbox. A test advances time, which jumps to the next timer when the object is
 * idle.
 */
export const createClock = () => {
  // A test that counts rows must not reach the next five minutes: their counts are one more row.
  const timeline = createTimeline(Date.now() - (Date.now() % 300_000));
  let activity = 0;
  /** Work of the current life. Work of an ended one may still settle. */
  let running = { count: 0 };
  let alarm: number | null = null;
  let ringing = false;
  /** Steps run one at a time, also if a test waits for several things. */
  let steps: Promise<unknown> = Promise.resolve();

  const busy = async <T>(work: Promise<T>): Promise<T> => {
    const own = running;
    own.count++;
    try {
      return await work;
    } finally {
      own.count--;
      activity++;
    }
  };

  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      const before = activity;
      // A timer of workerd fires only after every ready event has run. vitest looks for the caller of a setTimeout.
      await scheduler.wait(0);
      quiet = running.count === 0 && activity === before ? quiet + 1 : 0;
    }
  };

  const next = async (end: number, handler: () => Promise<void>): Promise<boolean> => {
    const due = alarm === null || ringing ? Number.POSITIVE_INFINITY : Math.max(alarm - clock.offset, timeline.now());
    const timer = timeline.next() ?? Number.POSITIVE_INFINITY;
    if (Math.min(timer, due) > end) return false;
    const own = running;
    const ring = () =>
      clock.ring(handler).catch((error: unknown) => {
        // A killed process may be in its alarm.
        if (own === running) throw error;
      });
    if (due <= timer) timeline.in(due - timeline.now(), () => void ring());
    await timeline.step();
    await settle();
    return true;
  };

  const clock = {
    /** Ms by which a test has set the clock forward. Timers ignore it, the alarm does not. */
    offset: 0,
    /** Unix ms of every alarm that was set. */
    alarms: [] as number[],
    now: () => {
      activity++;
      return timeline.now() + clock.offset;
    },
    sleep: (ms: number, life?: Life): Promise<void> => {
      activity++;
      if (ms <= 0) return busy(scheduler.wait(0));
      return new Promise((resolve) => timeline.in(ms, () => life?.alive !== false && resolve()));
    },
    busy,
    alarm: () => alarm,
    dependenciesOf: (life: Life, disk: Disk): Omit<Runtime, "fetch"> & { disk: Disk } => ({
      now: clock.now,
      random: () => 0,
      sleep: (ms) => clock.sleep(ms, life),
      timeout: (ms) => {
        const controller = new AbortController();
        timeline.in(ms, () => life.alive && controller.abort(new DOMException("Too late.", "TimeoutError")));
        return controller.signal;
      },
      disk: {
        sql: disk.sql,
        transactionSync: (work) => disk.transactionSync(work),
        sync: () => busy(disk.sync()),
        getAlarm: async () => alarm,
        setAlarm: async (at) => {
          activity++;
          alarm = Number(at);
          clock.alarms.push(alarm);
        },
      },
    }),
    ring: async (handler: () => Promise<void>): Promise<boolean> => {
      if (alarm === null || ringing) return false;
      alarm = null;
      ringing = true;
      await handler().finally(() => {
        ringing = false;
      });
      return true;
    },
    end: (life: Life): void => {
      life.alive = false;
      ringing = false;
      running = { count: 0 };
      steps = Promise.resolve();
    },
    settle,
    step: (end: number, handler: () => Promise<void>): Promise<boolean> => {
      const done = steps.then(() => next(end, handler));
      steps = done.catch(() => {});
      return done;
    },
    time: () => timeline.now(),
    in: timeline.in,
  };
  return clock;
};
