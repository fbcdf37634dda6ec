import { expect, test } from "vitest";
import { metadataFirstName, metadataLastName } from "../../../../src/rules/people/metadata-name.ts";

test("names in metadata; other types are ignored", () => {
  const names = (metadata: Record<string, unknown> | null) => [metadataFirstName(metadata), metadataLastName(metadata)];
  expect(names({ first_name: " Ada ", last_name: "King", full_name: "X Y" })).toEqual(["Ada", "King"]);
  expect(names({ given_name: "Ada", family_name: "King" })).toEqual(["Ada", "King"]);
  expect(names({ full_name: "Grace Brewster Hopper" })).toEqual(["Grace", "Brewster Hopper"]);
  expect(names({ first_name: "Ada", name: "Ada King" })).toEqual(["Ada", undefined]);
  for (const nothing of [null, {}, { first_name: 7, last_name: { a: 1 }, name: "  " }]) {
    expect(names(nothing)).toEqual([undefined, undefined]);
  }
});
