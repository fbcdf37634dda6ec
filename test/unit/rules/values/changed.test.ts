import { expect, test } from "vitest";
import { became, before } from "../../../../src/rules/values/changed.ts";

test("became is true only if the condition was false before", () => {
  const change = (was: string | undefined, is: string) => ({
    object: { status: is },
    previous_attributes: was === undefined ? undefined : { status: was },
  });
  const late = ({ status }: { status: string }) => status === "late";
  expect([became(change("fine", "late"), late), became(change("late", "late"), late)]).toEqual([true, false]);
  expect([became(change(undefined, "late"), late), became(change("late", "fine"), late)]).toEqual([false, false]);
  expect(before({ object: { a: 1, b: 2 }, previous_attributes: { a: 0 } })).toEqual({ a: 0, b: 2 });
});
