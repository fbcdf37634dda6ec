import { describe, expect, it } from "vitest";
import { createTurns } from "../../../../../../src/email/workspace/workflows/runs/turns.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const HOUR = 3_600_000;

describe("a place in the queue of mail", () => {
  it("is an hour ago for a workflow that has queued nothing", () => {
    const turns = createTurns();
    expect(turns(1, NOW)).toBe(NOW - HOUR);
    expect(turns(2, NOW)).toBe(NOW - HOUR);
  });

  it("goes up with each mail of a workflow, so that two workflows take turns", () => {
    const turns = createTurns();
    const large = Array.from({ length: 100 }, () => turns(1, NOW));
    expect(large).toEqual([...new Set(large)].sort((a, b) => a - b));
    expect(turns(2, NOW + 100)).toBeLessThan(large[10] ?? 0);
    expect(turns(2, NOW + 100)).toBeLessThan(large[10] ?? 0);
  });

  it("is never later than now", () => {
    const turns = createTurns();
    const places = Array.from({ length: 100_000 }, () => turns(1, NOW));
    expect(places.filter((place) => place > NOW)).toEqual([]);
    expect(turns(1, NOW)).toBe(NOW);
  });

  it("is at the front again for a workflow that has queued nothing for an hour", () => {
    const turns = createTurns();
    for (let mail = 0; mail < 100_000; mail++) turns(1, NOW);
    expect(turns(1, NOW + 2 * HOUR)).toBe(NOW + HOUR);
  });
});
