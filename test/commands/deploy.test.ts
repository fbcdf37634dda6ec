import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-deploy-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const node = join(root, "node_modules/.bin/node");
    const options = { cwd: root, env: { ...process.env, ...env } };
    execFile(node, ["scripts/deploy.ts", ...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

const ROW = /^(mailspan-\w+) +([\d.]+ [KM]B) +(\d+) KB +1 MB +ok +(.+)$/gm;
const kilobytes = (text: string) => Number.parseFloat(text) * (text.endsWith("MB") ? 1_000 : 1);

test("npm run deploy -- --dry-run bundles each Worker under 1 MB compressed, and opens no connection", async () => {
  const seen = join(folder, "seen");
  const watch = join(folder, "watch.mjs");
  writeFileSync(seen, "");
  writeFileSync(
    watch,
    `import { subscribe } from "node:diagnostics_channel";
     import { appendFileSync } from "node:fs";
     for (const name of ["net.client.socket", "undici:request:create"])
       subscribe(name, () => appendFileSync(${JSON.stringify(seen)}, name + "\\n"));`,
  );
  const { code, output } = await start(["--dry-run"], { NODE_OPTIONS: `--import=${watch}` });
  expect(output).toMatch(/^Worker +bundle +compressed +limit +bindings$/m);
  const rows = [...output.matchAll(ROW)];
  expect(rows.map(([, name]) => name)).toEqual(["mailspan-email", "mailspan-bridge", "mailspan-dashboard"]);
  for (const [, , size = "", compressed] of rows) {
    expect(Number(compressed)).toBeGreaterThan(10);
    expect(Number(compressed)).toBeLessThan(kilobytes(size));
  }
  expect(rows[2]?.[4]).toContain("LOGINS (Logins), BRIDGE (mailspan-bridge), EMAIL (mailspan-email), ASSETS");
  expect(rows[0]?.[4]).toContain("WORKSPACE (Workspace)");
  expect(rows[0]?.[4]).toContain("NOTIFIER (Notifier)");
  expect(rows[1]?.[4]).toContain("EMAIL (mailspan-email)");
  expect(code).toBe(0);
  expect(readFileSync(seen, "utf8")).toBe("");
});

test("npm run deploy without a terminal does nothing and names --yes", async () => {
  const { code, output } = await start([]);
  expect(output).toContain("use --yes");
  expect(code).toBe(2);
});

test.each([
  [["--out", "trial", "--yes"], "--out is for --dry-run of all Workers"],
  [["--dry-run", "--out", "trial", "--service", "https://api.example.com"], "--out is for --dry-run of all Workers"],
  [["--dry-run", "--out", "trial"], "use --yes"],
  [["--dry-run", "--out", ".", "--yes"], ". exists. Name a folder that does not exist."],
])("npm run deploy -- %j is refused", async (args, message) => {
  const { code, output } = await start(args);
  expect(output).toContain(message);
  expect(code).toBe(2);
});
