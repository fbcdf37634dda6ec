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
    note: (source: string, code: string, now: number) =>
      tally.note(source, code, now, (work) => works.push(work), send),
    without: (source: string, code: string, now: number) => tally.note(source, code, now, undefined, send),
    /** The seconds of gathering are over. */
    wake: async () => {
      for (const waker of wakers.splice(0)) waker();
      await Promise.all(works);
    },
  };
};

it("a flood of refusals is one call, one row for each source, reason and minute", async () => {
  const { note, wake, sent, works } = tallyOf();
  for (let n = 0; n < 10_000; n++) note("stripe", "invalid_signature", 1_000 + (n % 100));
  note("stripe", "invalid_json", 1_000);
  note("stripe", "invalid_json", 61_000);
  expect(works).toHaveLength(2);
  await wake();
  expect(sent.flat()).toEqual([
    { minute: 0, source: "stripe", code: "invalid_signature", count: 10_000 },
    { minute: 0, source: "stripe", code: "invalid_json", count: 1 },
    { minute: 1, source: "stripe", code: "invalid_json", count: 1 },
  ]);
  note("stripe", "invalid_json", 62_000);
  await wake();
  expect(sent.at(-1)).toEqual([{ minute: 1, source: "stripe", code: "invalid_json", count: 1 }]);
});

it("what cannot be handed over is handed over with the next", async () => {
  const { note, wake, sent, fail } = tallyOf();
  fail(true);
  note("a", "x", 0);
  await wake();
  expect(sent).toEqual([]);
  fail(false);
  note("a", "x", 10_000);
  await wake();
  expect(sent).toEqual([[{ minute: 0, source: "a", code: "x", count: 2 }]]);
});

it("a request that died while it gathered is replaced after a while, and one without a context only counts", async () => {
  const { note, without, wake, sent, works } = tallyOf();
  without("a", "x", 0);
  note("a", "x", 0);
  note("a", "x", 9_000);
  expect(works).toHaveLength(1);
  // Its timer never came; ten seconds later another request takes over.
  note("a", "x", 10_001);
  expect(works).toHaveLength(2);
  await wake();
  expect(sent[0]).toEqual([{ minute: 0, source: "a", code: "x", count: 4 }]);
});
