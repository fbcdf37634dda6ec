import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stayText } from "../../../src/dashboard/app/pages/workflows/words.ts";

const app = join(import.meta.dirname, "../../../src/dashboard/app");

const PLURAL =
  /\{(?:numberText\([^{}]*\)|[\w.]+\.toLocaleString\([^{}]*\)|[\w.]+(?:[cC]ount|length)(?: - [\w.]+)?)\} (?:contacts|rows|columns|mails|deliveries|messages|lists|times|are|were|have|stay|wait|get)\b/g;

const pluralsIn = (source: string): string[] => source.match(PLURAL) ?? [];

const found = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .flatMap(({ parentPath, name }) =>
    pluralsIn(readFileSync(join(parentPath, name), "utf8")).map((text) => `${name}: ${text}`),
  );

describe("a count in words", () => {
  it("has a noun and a verb that are right with one", () => {
    expect(pluralsIn("{numberText(active)} contacts stay; {rows.toLocaleString()} have")).toHaveLength(2);
    expect(pluralsIn('{counted(rows, "row")} {rows === 1 ? "is" : "are"}')).toEqual([]);
    expect(found).toEqual([]);
  });

  it("of a workflow that is paused or stopped says who stays", () => {
    expect(stayText(1)).toBe("1 person stays where they are, and their mail is held.");
    expect(stayText(1_204)).toBe("1,204 people stay where they are, and their mail is held.");
  });
});
