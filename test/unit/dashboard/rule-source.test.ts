import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rulesIn } from "../../../src/dashboard/app/vite.config.ts";

const TEXT = `const all = rules([
    {
      name: "signed \\"up\\"",
      on: "user.created",
      when: (e) => {
        return { a: 1 }.a > 0;
      },
    },
    { name: "short", on: "user.created" },
    {
      // Only once.
      name: "welcome",
      on: ["user.created"],
    },
]);
`;

it("the source of each rule is found by its name, with its line, and without the indent of its file", () => {
  const found = rulesIn("src/mappings/x.ts", TEXT);
  expect(Object.keys(found)).toEqual(['signed "up"', "welcome"]);
  expect(found.welcome).toEqual({
    file: "src/mappings/x.ts",
    line: 10,
    text: '{\n  // Only once.\n  name: "welcome",\n  on: ["user.created"],\n}',
  });
  expect(found['signed "up"']?.text.split("\n")).toHaveLength(7);
});

it("the rules of a provider are found in its file", () => {
  const file = "src/mappings/clerk.ts";
  const found = rulesIn(file, readFileSync(join(import.meta.dirname, "../../..", file), "utf8"));
  expect(found["signed up"]?.text).toContain('event: { name: "signedUp" }');
  expect(Object.keys(found).length).toBeGreaterThan(12);
});
