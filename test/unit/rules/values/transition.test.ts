import { expect, test } from "vitest";
import { becameEmpty, becameSet, changed, turned } from "../../../../src/rules/values/transition.ts";

const row = { at: null as string | null, on: false as boolean, data: { a: 1 } };

test("becameSet and becameEmpty", () => {
  expect(becameSet(row, { ...row, at: "now" }, "at")).toBe(true);
  expect(becameSet({ ...row, at: "" }, { ...row, at: "now" }, "at")).toBe(true);
  expect(becameSet({ ...row, at: "then" }, { ...row, at: "now" }, "at")).toBe(false);
  expect(becameSet(row, row, "at")).toBe(false);
  expect(becameEmpty({ ...row, at: "then" }, row, "at")).toBe(true);
  expect(becameEmpty(row, { ...row, at: "now" }, "at")).toBe(false);
});

test("turned and changed", () => {
  expect(turned(row, { ...row, on: true }, "on", true)).toBe(true);
  expect(turned({ ...row, on: true }, { ...row, on: true }, "on", true)).toBe(false);
  expect(turned({ ...row, on: true }, row, "on", true)).toBe(false);
  expect(changed(row, { ...row, data: { a: 2 } }, "data")).toBe(true);
  expect(changed(row, { ...row, data: { a: 1 } }, "data")).toBe(false);
});

test("no transition is known where a state or the column is absent", () => {
  type Row = { at?: string | null } | null | undefined;
  for (const [before, after] of [
    [null, { at: "now" }],
    [undefined, { at: "now" }],
    [{}, { at: "now" }],
    [{ at: null }, {}],
    [{ at: null }, null],
  ] as [Row, Row][]) {
    expect(becameSet(before, after, "at")).toBe(false);
    expect(changed(before, after, "at")).toBe(false);
    expect(turned(before, after, "at", "now")).toBe(false);
  }
});
