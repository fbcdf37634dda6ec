import { describe, expect, it } from "vitest";
import { askedStep, columnsOf, rangeOf, spanOf, sumOf } from "../../../src/dashboard/app/parts/chart/columns.ts";
import { timeIn } from "../../../src/lib/util/dates.ts";

const NOW = Date.parse("2026-01-31T12:34:56Z");
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe("the time of a histogram", () => {
  it("is the last 24 hours in steps of an hour where no filter says more", () => {
    const span = spanOf({}, NOW, "UTC");
    expect([iso(span.since), iso(span.until), span.step, askedStep(span)]).toEqual([
      "2026-01-30T12:00:00.000Z",
      "2026-01-31T13:00:00.000Z",
      HOUR,
      "1h",
    ]);
  });

  it("is that of the filters, in few enough steps", () => {
    expect(spanOf({ since: "1h" }, NOW, "UTC").step).toBe(HOUR / 12);
    expect(askedStep(spanOf({ since: "1h" }, NOW, "UTC"))).toBe("5m");
    for (const since of ["5m", "2h", "12h", "2d", "7d", "30d", "400d", "1970-01-01T00:00:00Z"]) {
      const columns = columnsOf([], spanOf({ since }, NOW, "UTC"));
      expect(columns.length).toBeGreaterThan(0);
      expect(columns.length).toBeLessThanOrEqual(102);
    }
    const day = spanOf({ since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" }, NOW, "UTC");
    expect([iso(day.since), iso(day.until)]).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]);
  });

  it("does not break on filters that make no sense", () => {
    for (const filters of [{ since: "yesterday" }, { since: "1h", until: "2h" }, { until: "2030-01-01T00:00:00Z" }])
      expect(columnsOf([], spanOf(filters, NOW, "UTC")).length).toBeGreaterThan(0);
    expect([timeIn("7d", NOW), timeIn("x", NOW), timeIn(undefined, NOW)]).toEqual([
      NOW - 168 * HOUR,
      undefined,
      undefined,
    ]);
  });
});

describe("columns of days", () => {
  const beginsOf = (zone: string, since: string, until: string) => {
    const columns = columnsOf([], spanOf({ since, until }, Date.parse("2026-12-31T00:00:00Z"), zone));
    for (const [index, { at }] of columns.slice(1).entries()) expect(at).toBe(columns[index]?.until);
    return columns.map(({ at }) => iso(at).slice(5, 16));
  };

  it("begin at midnight of the team, also where clocks change", () => {
    expect(
      beginsOf("Europe/Berlin", "2026-10-14T22:00:00Z", "2026-10-28T09:00:00Z").filter((_, n) => n % 4 === 0),
    ).toEqual(
      ["15", "16", "17", "18", "19", "20", "21", "22", "23", "24"]
        .map((day) => `10-${Number(day) - 1}T22:00`)
        .concat(["10-24T22:00", "10-25T23:00", "10-26T23:00", "10-27T23:00"]),
    );
    const days = beginsOf("America/New_York", "2026-03-01T12:00:00Z", "2026-03-31T12:00:00Z");
    expect([days[0], days[1], days.at(-1)]).toEqual(["03-01T05:00", "03-01T17:00", "03-31T04:00"]);
    expect(beginsOf("America/Havana", "2026-03-01T12:00:00Z", "2026-03-31T12:00:00Z").length).toBeLessThanOrEqual(102);
    expect(beginsOf("Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z")[1]).toBe("01-01T06:15");
  });

  it("count an hour on the team's day", () => {
    const span = spanOf({ since: "2026-01-01T00:00:00Z", until: "2026-01-31T00:00:00Z" }, NOW, "Asia/Tokyo");
    const rows = [
      { at: Date.parse("2026-01-10T14:00:00Z"), counts: { sent: 1 } },
      { at: Date.parse("2026-01-10T15:00:00Z"), counts: { sent: 2 } },
    ];
    const counted = columnsOf(rows, span).filter(({ counts }) => counts.sent);
    expect(counted.map(({ at, counts }) => [iso(at), counts.sent])).toEqual([
      ["2026-01-10T03:00:00.000Z", 1],
      ["2026-01-10T15:00:00.000Z", 2],
    ]);
  });
});

describe("the columns", () => {
  it("sum what happened in their time, and leave out the rest", () => {
    const span = { since: 0, until: 3 * HOUR, step: HOUR, zone: "UTC" };
    const rows = [
      { at: 0, counts: { accepted: 1 } },
      { at: HOUR - 1, counts: { accepted: 2, refused: 1 } },
      { at: 2 * HOUR, counts: { accepted: 4 } },
      { at: 3 * HOUR, counts: { accepted: 8 } },
      { at: -1, counts: { accepted: 16 } },
    ];
    const columns = columnsOf(rows, span);
    expect(columns.map(({ counts }) => counts)).toEqual([{ accepted: 3, refused: 1 }, {}, { accepted: 4 }]);
    expect(sumOf(columns, "accepted")).toBe(7);
  });

  it("give their time as filters, whichever way the drag went", () => {
    const columns = columnsOf([], { since: 0, until: 4 * HOUR, step: HOUR, zone: "UTC" });
    expect(rangeOf(columns, 2, 1)).toEqual({ since: iso(HOUR), until: iso(3 * HOUR) });
    expect(rangeOf(columns, 1, 1)).toEqual({ since: iso(HOUR), until: iso(2 * HOUR) });
  });
});
