import { expect, test } from "vitest";
import { firstName, lastName } from "../../../../src/rules/people/name.ts";

test("the first word of a name, and the other words", () => {
  expect([firstName(" Ada  King Lovelace "), lastName(" Ada  King Lovelace ")]).toEqual(["Ada", "King Lovelace"]);
  expect([firstName("Ada"), lastName("Ada"), firstName(""), lastName(null), firstName(undefined)]).toEqual([
    "Ada",
    ...Array(4).fill(undefined),
  ]);
});
