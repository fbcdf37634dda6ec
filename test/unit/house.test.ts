import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  allFiles,
  functionsOf,
  importsOf,
  isBarrel,
  literalSpreadsOf,
  parse,
  SRC,
  sources,
  sourcesIn,
} from "./source.ts";

const CATALOGUES = ["handlers", "mappings"];
const FILES_PER_FOLDER = 20;
const STATEMENTS_PER_FUNCTION = 40;

describe("the house", () => {
  it("has at most 20 files in a folder, catalogs excepted", () => {
    const folders = Map.groupBy(allFiles, (file) => dirname(file));
    const full = [...folders].filter(([at, { length }]) => length > FILES_PER_FOLDER && !CATALOGUES.includes(at));
    expect(full.map(([at, { length }]) => `${at}: ${length} files`)).toEqual([]);
  });

  it("runs the chores of every room of the Workspace", () => {
    const alarm = "email/workspace/requests/alarm.ts";
    const withChores = sources.filter(
      ({ file, text }) => file.startsWith("email/workspace/") && /^export const chores\b/m.test(text),
    );
    const called = sources.filter(({ file }) => file === alarm).flatMap(importsOf);
    expect(withChores.length).toBeGreaterThan(9);
    expect(withChores.map(({ file }) => file).filter((file) => !called.some(({ target }) => target === file))).toEqual(
      [],
    );
  });

  it("has at most 40 statements in a function", () => {
    const long = sources.flatMap(functionsOf).filter(({ statements }) => statements > STATEMENTS_PER_FUNCTION);
    expect(long).toEqual([]);
  });

  it("counts statements of functions, arrow functions and methods, each without inner functions", () => {
    const text =
      "const a = () => {\n  x();\n};\nfunction b() {}\nclass C {\n  d(): void {\n if (a) { const y = () => { z(); z(); }; }\n}\n  #e = async () =>\n    x();\n}\n";
    const found = functionsOf({ file: "x.ts", tree: parse(text) });
    expect(found.map(({ name, statements }) => `${name} ${statements}`)).toEqual(["a 1", "b 0", "d 2", "y 2", "e 0"]);
  });

  it("has no spread of a literal", () => {
    const all = ["src", "test", "scripts", "bench", "examples"].flatMap((folder) => sourcesIn(join(SRC, "..", folder)));
    expect(all.length).toBeGreaterThan(1_500);
    expect(all.flatMap(literalSpreadsOf)).toEqual([]);
  });

  it.each([
    ["an object", "const a = { ...{ b: 1, c: 2 } };", true],
    ["an array", "f(...[a, b]);", true],
    ["props", "const a = <B {...{ c: 1 }} />;", true],
    ["a condition", "const a = { ...(b ? { c: 1 } : {}), ...d };", false],
  ])("finds a spread of a literal in %s", (_what, text, isFound) => {
    const found = literalSpreadsOf({ file: "x.tsx", text, tree: parse(text, "tsx") });
    expect(found).toEqual(isFound ? ["x.tsx:1"] : []);
  });

  it("has no file that only passes on what others export", () => {
    expect(sources.filter(isBarrel).map(({ file }) => file)).toEqual([]);
  });

  it("knows such a file", () => {
    const barrel = (text: string) => isBarrel({ tree: parse(text) });
    expect(barrel('export * from "./a.ts";\nexport { b } from "./b.ts";')).toBe(true);
    expect(barrel('import { a } from "./a.ts";\nexport { a };')).toBe(true);
    expect(barrel('import { a } from "./a.ts";\nexport const b = a;')).toBe(false);
    expect(barrel("export const a = 1;")).toBe(false);
  });
});
