import { expect, it } from "vitest";
import { joinable } from "../../../../src/outbox/queue/join.ts";
import { createQueue, enqueue, type QueueItem, setPaused } from "../../../../src/outbox/queue/person-queues.ts";

let seq = 0;
const update = (more: Partial<QueueItem> = {}): QueueItem => ({
  seq: ++seq,
  index: 0,
  lane: "contact",
  source: "stripe",
  update: true,
  mail: false,
  person: "email:a",
  contact: {},
  keys: [],
  waits: false,
  alone: false,
  attempts: 0,
  joined: false,
  failures: 0,
  due: 0,
  inFlight: false,
  ...more,
});

const joined = (behind: readonly QueueItem[], { head = update({ seq: 0 }), paused = [] as string[] } = {}) => {
  const queue = createQueue();
  for (const item of [head, ...behind]) enqueue(queue, item);
  setPaused(queue, paused);
  return joinable(queue, head, 100).map((item) => behind.indexOf(item));
};

it.each<[string, Partial<QueueItem>]>([
  ["an event", { update: false, lane: "event" }],
  ["an update that was refused with others", { alone: true }],
  ["an update that waits for an identity link", { waits: true }],
  ["an update that is due later", { due: 101 }],
  ["an update of a paused source", { source: "clerk" }],
  ["a repeat", { order: 2_000_000_000_000_000 }],
])("updates of one person join up to %s", (_what, end) => {
  expect(joined([update(), update()])).toEqual([0, 1]);
  expect(joined([update(), update(end), update({ seq: 9_000_000 })], { paused: ["clerk"] })[0]).toBe(0);
  expect(joined([update(), update(end)], { paused: ["clerk"] })).toEqual([0]);
});

it("a repeat joins only repeats", () => {
  const head = update({ seq: 0, order: 0 });
  expect(joined([update({ order: 1 }), update({ seq: 9_000_000 })], { head })).toEqual([0]);
});

it("500 updates join at once", () => {
  expect(joined(Array.from({ length: 501 }, () => update()))).toHaveLength(500);
});
