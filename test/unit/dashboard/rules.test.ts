import { describe, expect, it } from "vitest";
import { around, differencesOf, type Tried } from "../../../src/dashboard/app/pages/rules/diff.ts";

const delivery = (rule: string, body: Tried["request"]["body"], what = "the contact update"): Tried => ({
  rule,
  action: "contact",
  what,
  whom: "ada@example.com",
  problems: [],
  request: { method: "PUT", path: "/v1/contacts/update", body },
});

describe("the deliveries of then beside those of today's rules", () => {
  it("are the same, changed, new, or not made any more", () => {
    const then = [
      delivery("a", { plan: "pro" }),
      delivery("b", { plan: "pro", seats: 2, extra: { x: 1 } }),
      delivery("c", {}),
    ];
    const now = [
      delivery("a", { plan: "pro" }),
      delivery("b", { plan: "free", seats: 2, extra: {} }),
      delivery("d", {}),
    ];
    expect(differencesOf(then, now).map(({ kind, delivery: { rule }, fields }) => [kind, rule, fields])).toEqual([
      ["same", "a", []],
      [
        "changed",
        "b",
        [
          { name: "plan", before: '"pro"', now: '"free"' },
          { name: "extra.x", before: "1", now: "–" },
        ],
      ],
      ["new", "d", []],
      ["gone", "c", []],
    ]);
  });
});

describe("a false part of a condition", () => {
  it("is marked in its text, where it is in it", () => {
    expect(around("a && b === 1 && c", "b === 1")).toEqual(["a && ", "b === 1", " && c"]);
    expect(around("a && b", "z")).toBeUndefined();
    expect(around("a && b", "")).toBeUndefined();
  });
});
