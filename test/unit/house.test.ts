import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { choresOf } from "../../src/email/workspace/runtime/upkeep.ts";
import { allFiles, functionsOf, isBarrel, parse, sources } from "./source.ts";

/** Catalogues: one file per provider. */
const CATALOGUES = ["handlers", "mappings"];
const FILES_PER_FOLDER = 15;
const LINES_PER_FILE = 300;
const LINES_PER_FUNCTION = 80;

describe("the house", () => {
  it("has at most 15 files in a folder, catalogues excepted", () => {
    const folders = Map.groupBy(allFiles, (file) => dirname(file));
    const full = [...folders].filter(([at, { length }]) => length > FILES_PER_FOLDER && !CATALOGUES.includes(at));
    expect(full.map(([at, { length }]) => `${at}: ${length} files`)).toEqual([]);
  });

  it("runs the chores of every room of the Workspace", () => {
    const at = "email/workspace/";
    const rooms = new Set(sources.filter(({ file }) => file.startsWith(at)).map(({ file }) => file.slice(at.length)));
    const names = new Set([...rooms].filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
    // `base` holds what the rooms share.
    names.delete("base");
    expect(Object.keys(choresOf).sort()).toEqual([...names].sort());
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
