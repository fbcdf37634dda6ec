import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { allFiles, functionsOf, importsOf, isBarrel, parse, sources } from "./source.ts";

/** Catalogues: one file per provider. */
const CATALOGUES = ["handlers", "mappings"];
const FILES_PER_FOLDER = 20;
const LINES_PER_FILE = 300;
const LINES_PER_FUNCTION = 80;

describe("the house", () => {
  it("has at most 20 files in a folder, catalogues excepted", () => {
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

  it("has no file over 300 lines", () => {
    const long = sources.map(({ file, text }) => ({ file, lines: text.trimEnd().split("\n").length }));
    expect(long.filter(({ lines }) => lines > LINES_PER_FILE)).toEqual([]);
  });

  it("has no function over 80 lines", () => {
    const long = sources.flatMap(functionsOf).filter(({ lines }) => lines > LINES_PER_FUNCTION);
    expect(long).toEqual([]);
  });

  it("counts the lines of functions, arrow functions and methods", () => {
    const text =
      "const a = () => {\n  x();\n};\nfunction b() {}\nclass C {\n  d(): void {\n  }\n  #e = async () =>\n    x();\n}\n";
    const found = functionsOf({ file: "x.ts", text, tree: parse(text) });
    expect(found.map(({ name, lines }) => `${name} ${lines}`)).toEqual(["a 3", "b 1", "d 2", "e 2"]);
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
