import { describe, expect, it } from "vitest";
import { orderIn, orderOf, readDate } from "../../../../src/lib/imports/dates.ts";
import { changedBy, typeOf } from "../../../../src/lib/imports/values.ts";

const DAY = "2024-01-02T00:00:00.000Z";
const TIME = "2024-01-02T03:04:05.000Z";

describe("a date that can mean one thing", () => {
  it.each([
    ["2024-01-02", DAY],
    ["2024/01/02", DAY],
    ["2024.01.02", DAY],
    ["20240102", DAY],
    ["02.01.2024", DAY],
    ["2. 1. 2024", DAY],
    ["02.01.24", DAY],
    ["2-Jan-24", DAY],
    ["02-Jan-2024", DAY],
    ["2024-Jan-02", DAY],
    ["2 January 2024", DAY],
    ["January 2nd, 2024", DAY],
    ["Jan 2, 2024", DAY],
    ["2. Januar 2024", DAY],
    ["2 janvier 2024", DAY],
    ["mardi 2 janvier 2024", DAY],
    ["2 de enero de 2024", DAY],
    ["2 gennaio 2024", DAY],
    ["45293", DAY],
    ["45293.5", "2024-01-02T12:00:00.000Z"],
    ["2024-01-02 03:04:05 UTC", TIME],
    ["2024-01-02 03:04:05", TIME],
    ["2024-01-02T03:04:05.123456Z", "2024-01-02T03:04:05.123Z"],
    ["2024-01-02 03:04:05.123+00", TIME],
    ["2024-01-02 05:04:05 +0200", TIME],
    ["2024-01-01T21:04:05-06:00", TIME],
    ["20240102030405", TIME],
    ["1704164645", TIME],
    ["1704164645000", TIME],
    ["Tue, 02 Jan 2024 03:04:05 +0000", TIME],
    ["Tue, 2 Jan 2024 03:04:05 GMT", TIME],
    ["Tue Jan  2 03:04:05 2024", TIME],
    ["Tue Jan 02 2024 04:04:05 GMT+0100 (Central European Standard Time)", TIME],
    ["Jan 2, 2024 at 3:04:05 AM", TIME],
    ["31.12.2023 15:30", "2023-12-31T15:30:00.000Z"],
    ["13/02/2024", "2024-02-13T00:00:00.000Z"],
    ["02/13/2024 3:04 PM", "2024-02-13T15:04:00.000Z"],
    ["02/02/2024", "2024-02-02T00:00:00.000Z"],
    ["Mar 2, 2024", "2024-03-02T00:00:00.000Z"],
    ["2 mars 2024", "2024-03-02T00:00:00.000Z"],
    ["2 Mai 2024", "2024-05-02T00:00:00.000Z"],
  ])("is read: %s", (cell, expected) => {
    expect(readDate(cell)).toBe(expected);
  });

  it.each([
    "2024-02-30",
    "2023-02-29",
    "32.01.2024",
    "2024-13-01",
    "12:30",
    "2024-01-02 25:00",
    "13:00 PM",
    "1 Foo 2024",
    "soon",
    "7",
    "2024",
    "14/14/2024",
    "00/01/2024",
    `${"1".repeat(90)}/1/2024`,
  ])("is none: %s", (cell) => {
    expect(readDate(cell)).toBeUndefined();
    expect(readDate(cell, "day-first")).toBeUndefined();
  });
});

describe("a date that can mean two things", () => {
  it("is read by the order of its column only", () => {
    expect(readDate("01/02/2024")).toBeUndefined();
    expect(readDate("01/02/2024", "day-first")).toBe("2024-02-01T00:00:00.000Z");
    expect(readDate("01-02-24 10:00", "month-first")).toBe("2024-01-02T10:00:00.000Z");
  });

  it("gets the order that another row of the column proves", () => {
    const counted = (...cells: string[]) => {
      const counts = { dayFirst: 0, monthFirst: 0, either: 0 };
      for (const cell of cells) {
        const order = orderIn(cell);
        if (order) counts[order] += 1;
      }
      return orderOf(counts);
    };
    expect(counted("01/02/2024", "13/02/2024")).toBe("day-first");
    expect(counted("01/02/2024", "02/13/2024 11:00")).toBe("month-first");
    expect(counted("01/02/2024", "2/3/2024")).toBe("unclear");
    expect(counted("13/02/2024", "02/13/2024")).toBe("unclear");
    expect(counted("2024-01-02", "31.12.2023", "1/2", "3-4-5")).toBeUndefined();
  });

  it("makes a property of dates, and shows how it is stored", () => {
    expect(typeOf(["31.12.2023", "NULL", ""])).toBe("date");
    expect(typeOf(["01/02/2024", "05/02/2024"])).toBe("date");
    expect(changedBy("date", "01/02/2024", "day-first")).toBe("2024-02-01T00:00:00.000Z");
    expect(changedBy("date", "#N/A")).toBeUndefined();
  });
});
