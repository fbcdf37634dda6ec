import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const ROW = /^\| `(stripe\/[^`]+)` \| npm `stripe`, resources\/([\w/]+\.d\.ts): (.+) \|$/gm;

test("each name that a fixture follows is in the types that Stripe publishes", () => {
  const rows = [...readFileSync(join(root, "test/fixtures/SOURCES.md"), "utf8").matchAll(ROW)];
  expect(rows.length).toBeGreaterThan(50);
  for (const [, fixture, file = "", names = ""] of rows) {
    const types = readFileSync(join(root, "node_modules/stripe/esm/resources", file), "utf8");
    for (const name of names.split(", ")) expect(types.includes(name), `${fixture}: ${name} in ${file}`).toBe(true);
  }
});
