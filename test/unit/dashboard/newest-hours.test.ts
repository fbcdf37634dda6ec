import { expect, it } from "vitest";
import { newestHours } from "../../../src/dashboard/app/pages/deliveries/newest-hours.ts";

it("the newest hour of each source is the first one in which deliveries were done", () => {
  const row = (source: string, at: string, p50: number | null) => ({ source, at, p50 });
  const rows = [
    row("stripe", "3", null),
    row("clerk", "3", 40),
    row("stripe", "2", 90),
    row("clerk", "2", 5),
    row("stripe", "1", 1),
    row("quiet", "1", null),
  ];
  expect(newestHours(rows)).toEqual([row("clerk", "3", 40), row("stripe", "2", 90)]);
  expect(newestHours([])).toEqual([]);
});
