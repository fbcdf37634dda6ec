import { expect, it } from "vitest";
import type { Dispatcher } from "../../../../src/outbox/dispatch/dispatcher.ts";
import { createHealthStatus, statusOf } from "../../../../src/outbox/monitor/status.ts";
import { createQueue, enqueue, type QueueItem, setPaused } from "../../../../src/outbox/queue/person-queues.ts";

const item = (at: number, more: Partial<QueueItem> = {}): QueueItem => ({
  seq: at * 1_000,
  index: 0,
  lane: "contact",
  source: "stripe",
  update: true,
  mail: false,
  person: `email:${at}`,
  contact: {},
  keys: [],
  waits: false,
  alone: false,
  attempts: 0,
  failures: 0,
  due: 0,
  inFlight: false,
  joined: false,
  ...more,
});

const dispatcherOf = (items: readonly QueueItem[]) => {
  const queue = createQueue();
  for (const one of items) enqueue(queue, one);
  const looked = { count: 0 };
  const { items: map } = queue;
  const values = map.values.bind(map);
  map.values = () => {
    const inner = values();
    const next = () => {
      looked.count++;
      return inner.next();
    };
    return Object.assign(inner[Symbol.iterator](), {
      [Symbol.iterator]: () => ({ next, [Symbol.iterator]: () => inner }),
    });
  };
  const state = { interruption: undefined, foreignAnswers: () => undefined, pauses: { sources: {} } };
  const pace = () => ({ limit: 10, last60: [] });
  const dispatcher = { queue, ...state, pace } as unknown as Dispatcher;
  return { dispatcher, queue, looked };
};

const sql = { exec: () => ({ one: () => ({ n: 0 }) }), databaseSize: 0 } as unknown as SqlStorage;

it("health looks at one of 60 000 deliveries, and says the same as the whole status", () => {
  const { dispatcher, looked } = dispatcherOf(Array.from({ length: 60_000 }, (_, n) => item(n + 1)));
  const health = createHealthStatus()(dispatcher, sql, 100_000);
  expect(looked.count).toBe(1);
  const { waiting, late, interruption, foreignAnswers, pauses, quotas, attention } = statusOf(dispatcher, sql, 100_000);
  expect(health).toEqual({ waiting, late, interruption, foreignAnswers, pauses, quotas, attention });
  expect(health).toMatchObject({ waiting: 60_000, late: 99_999 });
});

it("health passes over paused deliveries and those that wait for an identity, and looks again after five seconds only", () => {
  const items = [item(1, { waits: true }), item(2, { source: "clerk" }), item(3), item(4)];
  const { dispatcher, queue, looked } = dispatcherOf(items);
  setPaused(queue, ["clerk"]);
  const health = createHealthStatus();
  expect(health(dispatcher, sql, 1_000).late).toBe(997);
  const before = looked.count;
  for (let now = 1_000; now < 6_000; now += 100) expect(health(dispatcher, sql, now).late).toBe(now - 3);
  expect(looked.count).toBe(before);
  setPaused(queue, ["*"]);
  expect(health(dispatcher, sql, 6_000).late).toBe(0);
});
