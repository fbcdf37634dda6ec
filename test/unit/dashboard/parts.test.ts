import { describe, expect, it } from "vitest";
import { changed, filtersOf, isFiltered, pathOf, pathWithoutPage } from "../../../src/dashboard/app/parts/filters.ts";
import { dayText, relative } from "../../../src/dashboard/app/parts/time.ts";

describe("a time in words", () => {
  const now = Date.UTC(2026, 0, 31, 12);
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

  it.each([
    [0, "now"],
    [-999, "now"],
    [-59_999, "59 seconds ago"],
    [-minute, "1 minute ago"],
    [-59 * minute - 59_999, "59 minutes ago"],
    [-hour, "1 hour ago"],
    [-day, "yesterday"],
    [-29 * day, "29 days ago"],
    [-30 * day, "last month"],
    [-364 * day, "12 months ago"],
    [-365 * day, "last year"],
    [90 * minute, "in 1 hour"],
    [2 * day, "in 2 days"],
  ])("is at a distance of %d ms: %s", (distance, words) => {
    expect(relative(now + distance, now)).toBe(words);
  });
});

describe("the filters of a list", () => {
  it("are the texts, numbers, booleans and objects of an address", () => {
    const filter = { match: "all", conditions: [] };
    expect(
      filtersOf({
        email: "a@b.c",
        n: 17,
        empty: "",
        list: ["a"],
        on: true,
        off: false,
        filter,
        none: undefined,
        no: null,
      }),
    ).toEqual({ email: "a@b.c", n: "17", on: "true", off: "false", filter: JSON.stringify(filter) });
  });

  it("begin at the first page when they change; an empty value removes one", () => {
    const filters = { source: "stripe", type: "invoice.paid", cursor: "abc" };
    expect(changed(filters, { type: "", rule: "receipt" })).toEqual({ source: "stripe", rule: "receipt" });
    expect(changed(filters, { source: null, type: undefined })).toEqual({});
  });

  it("narrow a list down; the cursor of a page does not", () => {
    expect([isFiltered({}), isFiltered({ cursor: "abc" }), isFiltered({ source: "stripe" })]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("the path of a view", () => {
  it("has the filters in one order, and not the cursor of a page", () => {
    expect(pathWithoutPage("/deliveries", "?state=failed&cursor=abc&source=stripe")).toBe(
      "/deliveries?source=stripe&state=failed",
    );
    expect(pathWithoutPage("/deliveries", "?cursor=abc")).toBe("/deliveries");
    expect(pathWithoutPage("/people", "?q=ada%40example.com")).toBe("/people?q=ada%40example.com");
  });

  it("names its page", () => {
    expect([pathOf("/deliveries?state=failed"), pathOf("/deliveries")]).toEqual(["/deliveries", "/deliveries"]);
  });
});

describe("the heading of a day", () => {
  const at = (year: number, month: number, day: number, hour: number) => new Date(year, month - 1, day, hour);
  const now = at(2026, 11, 30, 1).getTime();
  it.each([
    [at(2026, 11, 30, 0), "Today, November 30"],
    [at(2026, 11, 29, 23), "Yesterday, November 29"],
    [at(2026, 11, 28, 23), "November 28"],
    [at(2025, 11, 30, 1), "November 30, 2025"],
  ])("%s is %s", (day, text) => {
    expect(dayText(day.toISOString(), now)).toBe(text);
  });
});
