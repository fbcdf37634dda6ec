import { expect, it } from "vitest";
import type { Refused } from "../../../src/outbox/journal/refusals.ts";
import { createTally } from "../../../src/routes/refusal-tally.ts";

const tallyOf = () => {
  const wakers: (() => void)[] = [];
  const sent: Refused[][] = [];
  const works: Promise<void>[] = [];
  const tally = createTally(() => new Promise<void>((resolve) => wakers.push(resolve)));
  let failing = false;
  const send = async (refused: Refused[]) => {
    if (failing) throw new Error("not now");
    sent.push(refused);
  };
  return {
    sent,
    works,
    fail: (fails: boolean) => {
      failing = fails;
    },
    add: (source: string, code: string, now: number) => tally.add(source, code, now, (work) => works.push(work), send),
    without: (source: string, code: string, now: number) => tally.add(source, code, now, undefined, send),
    wake: async () => {
      for (const waker of wakers.splice(0)) waker();
      await Promise.all(works);
    },
  };
};

it("many refusals cause one delivery with one row per source, code and minute", async () => {
  const { add, wake, sent, works } = tallyOf();
  for (let n = 0; n < 10_000; n++) add("stripe", "invalid_signature", 1_000 + (n % 100));
  add("stripe", "invalid_json", 1_000);
  add("stripe", "invalid_json", 61_000);
  expect(works).toHaveLength(2);
  await wake();
  expect(sent.flat()).toEqual([
    { minute: 0, source: "stripe", code: "invalid_signature", count: 10_000, at: 1_099 },
    { minute: 0, source: "stripe", code: "invalid_json", count: 1, at: 1_000 },
    { minute: 1, source: "stripe", code: "invalid_json", count: 1, at: 61_000 },
  ]);
  add("stripe", "invalid_json", 62_000);
  await wake();
  expect(sent.at(-1)).toEqual([{ minute: 1, source: "stripe", code: "invalid_json", count: 1, at: 62_000 }]);
});

it("counts that could not be passed on are passed on with the next ones", async () => {
  const { add, wake, sent, fail } = tallyOf();
  fail(true);
  add("a", "x", 0);
  await wake();
  expect(sent).toEqual([]);
  fail(false);
  add("a", "x", 10_000);
  await wake();
  expect(sent).toEqual([[{ minute: 0, source: "a", code: "x", count: 2, at: 10_000 }]]);
});

it("after a request died while it collected, a later one starts anew; a request without a context only counts", async () => {
  const { add, without, wake, sent, works } = tallyOf();
  without("a", "x", 0);
  add("a", "x", 0);
  add("a", "x", 9_000);
  expect(works).toHaveLength(1);
  add("a", "x", 10_001);
  expect(works).toHaveLength(2);
  await wake();
  expect(sent[0]).toEqual([{ minute: 0, source: "a", code: "x", count: 4, at: 10_001 }]);
});
