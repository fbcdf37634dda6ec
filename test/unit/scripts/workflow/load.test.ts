import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadText } from "../../../../scripts/workflow/load.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-load-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("reads UTF-8 without its byte order mark", () => {
  const path = join(folder, "good.yaml");
  writeFileSync(path, "\ufeffname: Café\n");
  expect(loadText(path)).toBe("name: Café\n");
});

it("refuses other bytes with their line, and a file that does not exist", () => {
  const path = join(folder, "latin1.yaml");
  writeFileSync(path, Buffer.from("name: Trial\ndescription: Caf\u00e9\n", "latin1"));
  expect(() => loadText(path)).toThrow(`${path}:2: the file is not valid UTF-8. Save it as UTF-8.`);
  expect(() => loadText(join(folder, "none.yaml"))).toThrow(`There is no file ${join(folder, "none.yaml")}.`);
});
