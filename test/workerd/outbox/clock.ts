import type { Disk, Runtime } from "../../../src/outbox/model/dependencies.ts";
import { createTimeline } from "../simulation/timeline.ts";

/** One process of the object. Its timers end with it. */
export type Life = { alive: boolean };

/** Turns of the event loop without any activity after which the object is idle. Reading a body takes a few turns. */
const QUIET_TURNS = 4;

export type Clock = ReturnType<typeof createClock>;

/**
 * The clock, the timers and the alarm of one Outbox. Time stands still until a test lets it pass. Then it jumps from
 * one timer or alarm to the next, as soon as the object has nothing else to do.
 */
export const createClock = () => {
  // A test that counts rows must not run into the next five minutes, whose counts are a row more.
  const timeline = createTimeline(Date.now() - (Date.now() % 300_000));
  /** Grows with every use of a dependency by the object. */
  let activity = 0;
  /** Real writes and reads that have not ended. */
  let pending = 0;
  let alarm: number | null = null;
  let ringing = false;
  /** Steps run one at a time, also when a test waits for several things at once. */
  let steps: Promise<unknown> = Promise.resolve();

  const busy = async <T>(work: Promise<T>): Promise<T> => {
    pending++;
    try {
      return await work;
    } finally {
      pending--;
      activity++;
    }
  };

  /** Resolves once the object does nothing but wait for a timer, the alarm or an answer of the host. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      const before = activity;
      // A timer of workerd fires only once every event that is ready has run.
      await new Promise((resolve) => setTimeout(resolve, 0));
      quiet = pending === 0 && activity === before ? quiet + 1 : 0;
    }
  };

  const next = async (end: number, handler: () => Promise<void>): Promise<boolean> => {
    const due = alarm === null || ringing ? Number.POSITIVE_INFINITY : Math.max(alarm - clock.offset, timeline.now());
    const timer = timeline.next() ?? Number.POSITIVE_INFINITY;
    if (Math.min(timer, due) > end) return false;
    if (due <= timer) timeline.in(due - timeline.now(), () => void clock.ring(handler));
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
    /** Waits for virtual ms. 0 only yields to the event loop. */
    sleep: (ms: number, life?: Life): Promise<void> => {
      activity++;
      if (ms <= 0) return busy(new Promise((resolve) => setTimeout(resolve, 0)));
      return new Promise((resolve) => timeline.in(ms, () => life?.alive !== false && resolve()));
    },
    busy,
    alarm: () => alarm,
    /** Clock, timers and disk for one process of the object. */
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
    /** Runs the alarm's handler now, also before the alarm is due. False when no alarm is set. */
    ring: async (handler: () => Promise<void>): Promise<boolean> => {
      if (alarm === null || ringing) return false;
      alarm = null;
      ringing = true;
      await handler().finally(() => {
        ringing = false;
      });
      return true;
    },
    /** Ends a process, with its timers and its alarm handler. */
    end: (life: Life): void => {
      life.alive = false;
      ringing = false;
      pending = 0;
      steps = Promise.resolve();
    },
    settle,
    /** Runs the next timer or alarm that is due until `end`, and waits for its effects. False when there is none. */
    step: (end: number, handler: () => Promise<void>): Promise<boolean> => {
      const done = steps.then(() => next(end, handler));
      steps = done.catch(() => {});
      return done;
    },
    /** Ms since the start of the clock as timers count them. */
    time: () => timeline.now(),
    in: timeline.in,
  };
  return clock;
};
