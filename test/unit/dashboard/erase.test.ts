import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countsIn, type Step, untilErased } from "../../../src/dashboard/app/pages/people/acts/erased.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const erased = { identifiers: 1, webhooks: 2, links: 0 };
const step = (changes: Partial<Step>): Step => ({
  finished: false,
  erased,
  next: null,
  notReached: [],
  message: "Not finished.",
  ...changes,
});

const run = async (answers: Step[], dryRun = false) => {
  const cursors: (string | undefined)[] = [];
  const start = Date.now();
  const sum = untilErased(async (cursor) => {
    cursors.push(cursor);
    return answers[cursors.length - 1] ?? step({ finished: true, erased: {} });
  }, dryRun);
  await vi.runAllTimersAsync();
  return { sum: await sum, cursors, ms: Date.now() - start };
};

describe("to erase a person", () => {
  it("takes as many requests as the journal needs, and adds up what they erased in both halves", async () => {
    const { sum, cursors, ms } = await run([
      step({ next: "abc", service: { contacts: 1 }, notReached: ["the local inbox"] }),
      step({ finished: true, service: { contacts: 1, events: 4 }, message: "Done." }),
    ]);
    expect([cursors, ms]).toEqual([[undefined, "abc"], 0]);
    expect(sum).toEqual({
      finished: true,
      message: "Done.",
      notReached: ["the local inbox"],
      erased: { identifiers: 2, webhooks: 4, links: 0 },
      service: { contacts: 2, events: 4 },
    });
  });

  it("is repeated each second while mail of the person is in flight", async () => {
    const { sum, ms } = await run([step({}), step({}), step({ finished: true })]);
    expect([sum.finished, sum.erased.webhooks, ms]).toEqual([true, 6, 2_000]);
  });

  it("in a dry run waits for nothing", async () => {
    const { sum, cursors } = await run([step({ next: "abc" }), step({})], true);
    expect([sum.finished, cursors]).toEqual([false, [undefined, "abc"]]);
  });

  it("ends after 500 requests where the mail stays in flight", async () => {
    const { sum, cursors } = await run(Array.from({ length: 600 }, () => step({})));
    expect([sum.finished, cursors.length]).toEqual([false, 500]);
  });
});

describe("what was erased", () => {
  it("is counted in words, without the kinds that have none", () => {
    expect(countsIn({ sends: 3, contacts: 1, outgoingWebhooks: 2, events: 0, mailTo: "a@b.c" })).toBe(
      "3 sends, 1 contact, 2 outgoing webhooks",
    );
    expect(countsIn({ sends: 0 })).toBe("nothing");
  });
});
