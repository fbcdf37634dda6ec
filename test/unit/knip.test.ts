import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-knip-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  copyFileSync(join(root, "knip.ts"), join(folder, "knip.ts"));
  const workspaces = ["src", "scripts", "src/dashboard/app"];
  write("package.json", JSON.stringify({ name: "planted", private: true, type: "module", workspaces }));
  for (const workspace of workspaces) write(`${workspace}/package.json`, JSON.stringify({ name: workspace }));
  write("src/index.ts", 'import { used } from "./lib/parts.ts";\nconsole.log(used);\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const knip = (...options: string[]) => {
  const cli = join(root, "node_modules/knip/bin/knip.js");
  const args = [cli, "--no-config-hints", "--include", "files,exports", ...options];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout };
};

describe("knip, as npm run lint runs it", () => {
  it("accepts what is used", () => {
    write("src/lib/parts.ts", "export const used = 1;\n");
    expect([knip(), knip("--production")]).toEqual(Array(2).fill({ status: 0, stdout: "" }));
  });

  it("refuses a dead export and a failed file", () => {
    write("src/lib/parts.ts", "export const used = 1;\nexport const failed = 2;\n");
    write("src/lib/nobody.ts", "export const more = 1;\n");
    const { status, stdout } = knip();
    expect(status).toBe(1);
    expect(stdout).toMatch(/failed +src\/lib\/parts\.ts:2/);
    expect(stdout).toContain("src/lib/nobody.ts");
  });

  it("refuses an export that only a test uses", () => {
    write("src/lib/parts.ts", "export const used = 1;\nexport const forTests = 2;\n");
    write("test/parts.test.ts", 'import { forTests } from "../src/lib/parts.ts";\nconsole.log(forTests);\n');
    expect(knip()).toEqual({ status: 0, stdout: "" });
    const { status, stdout } = knip("--production");
    expect(status).toBe(1);
    expect(stdout).toMatch(/forTests +src\/lib\/parts\.ts:2/);
  });
});
