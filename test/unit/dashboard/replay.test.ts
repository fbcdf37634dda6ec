import { describe, expect, it } from "vitest";
import { readSlices, type Slices } from "../../../src/dashboard/app/pages/replay/slices.ts";
import type { Replayed } from "../../../src/dashboard/app/parts/ledger/types.ts";

const slice = (deliveries: number, next: string | null): Replayed => ({
  dryRun: false,
  actions: ["contact"],
  webhooks: deliveries,
  deliveries,
  next,
  searchedTo: null,
  byAction: { contact: deliveries },
  byRule: {},
  notMade: {},
  notReplayable: {},
  failed: [],
  examples: [],
});

describe("a replay in slices", () => {
  it("counts the slice that was asked for before a stop, and goes on after it", async () => {
    const slices: Record<string, Replayed> = { "": slice(1, "a"), a: slice(2, "b"), b: slice(4, null) };
    const asked: string[] = [];
    let isStopped = false;
    const read = async (cursor = "") => {
      asked.push(cursor);
      if (cursor === "a") isStopped = true;
      return slices[cursor] as Replayed;
    };
    const seen: Slices[] = [];
    const run = (from?: Replayed) =>
      readSlices(
        read,
        from,
        () => isStopped,
        (one) => seen.push(one),
      );
    await run();
    expect(asked).toEqual(["", "a"]);
    expect(seen.at(-1)).toMatchObject({ state: "stopped", sum: { deliveries: 3, next: "b" } });
    isStopped = false;
    await run(seen.at(-1)?.sum);
    expect(asked).toEqual(["", "a", "b"]);
    expect(seen.at(-1)).toMatchObject({ state: "over", sum: { deliveries: 7, byAction: { contact: 7 }, next: null } });
  });

  it("stops at a failure, and keeps what was counted", async () => {
    const seen: Slices[] = [];
    const read = async (cursor?: string) => {
      if (cursor !== undefined) throw new Error("no");
      return slice(1, "a");
    };
    await readSlices(
      read,
      undefined,
      () => false,
      (one) => seen.push(one),
    );
    expect(seen.at(-1)).toMatchObject({ state: "stopped", sum: { deliveries: 1 }, error: { message: "no" } });
  });
});
