import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readWorkers, varsOf } from "../../scripts/deploy/config.ts";

const root = join(import.meta.dirname, "../..");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-deploy-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Ended = { code: number; output: string };

const start = (args: readonly string[], at = root, env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const node = join(root, "node_modules/.bin/node");
    execFile(node, ["scripts/deploy.ts", ...args], { cwd: at, env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });

/** A copy of what is deployed, to break. */
const copy = (): string => {
  for (const path of ["package.json", "openapi.json", "tsconfig.json", "wrangler.toml", "src", "scripts"]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
};

const ROW = /^(mailspan-\w+) +(\d+) KB +(\d+) KB +1 MB +ok +(.+)$/gm;

describe("npm run deploy -- --dry-run", () => {
  test("bundles both Workers, each under 1 MB compressed", async () => {
    const { code, output } = await start(["--dry-run"]);
    expect(output).toMatch(/^Worker +bundle +compressed +limit +bindings$/m);
    const rows = [...output.matchAll(ROW)];
    expect(rows.map(([, name]) => name)).toEqual(["mailspan-email", "mailspan-bridge"]);
    for (const [, , size, compressed] of rows) {
      expect(Number(compressed)).toBeGreaterThan(10);
      expect(Number(compressed)).toBeLessThan(Number(size));
    }
    expect(rows[0]?.[4]).toContain("WORKSPACE (Workspace)");
    expect(rows[1]?.[4]).toContain("EMAIL (mailspan-email)");
    expect(code).toBe(0);
  });

  test("opens no connection", async () => {
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
    const { code } = await start(["--dry-run"], root, { NODE_OPTIONS: `--import=${watch}` });
    expect(code).toBe(0);
    expect(readFileSync(seen, "utf8")).toBe("");
  });

  test("for another host: the bridge alone, without the binding to the email Worker", async () => {
    const { code, output } = await start(["--dry-run", "--host", "https://api.example.com"]);
    const rows = [...output.matchAll(ROW)];
    expect(rows.map(([, name]) => name)).toEqual(["mailspan-bridge"]);
    const variables = Object.keys(varsOf(readWorkers().bridge)).length;
    expect(rows[0]?.[4]).toBe(`OUTBOX (Outbox), ${variables} variables`);
    expect(code).toBe(0);
  });

  test("fails with wrangler's own error where a Worker does not bundle", async () => {
    const at = copy();
    appendFileSync(join(at, "src/index.ts"), '\nimport "./planted-and-missing.ts";\n');
    const { code, output } = await start(["--dry-run"], at);
    expect(output).toMatch(/^mailspan-bridge .*does not bundle$/m);
    expect(output).toContain('Could not resolve "./planted-and-missing.ts"');
    expect(output).toMatch(/^mailspan-email .* ok /m);
    expect(code).toBe(1);
  });

  test("fails where a Worker has 1 MB or more", async () => {
    const at = copy();
    const planted = randomBytes(800_000).toString("base64");
    appendFileSync(join(at, "src/email/index.ts"), `\nexport const planted = () => ${JSON.stringify(planted)};\n`);
    const { code, output } = await start(["--dry-run"], at);
    expect(output).toMatch(/^mailspan-email +1\.\d+ MB +\d+ KB +1 MB +ok/m);
    expect(code).toBe(0);

    const more = randomBytes(700_000).toString("base64");
    appendFileSync(join(at, "src/email/index.ts"), `\nexport const more = () => ${JSON.stringify(more)};\n`);
    const tooLarge = await start(["--dry-run"], at);
    expect(tooLarge.output).toMatch(/^mailspan-email is too large: 1\.\d+ MB of 1 MB compressed\.$/m);
    expect(tooLarge.code).toBe(1);
  });
});

describe("npm run deploy", () => {
  test("without a terminal does nothing and names --yes", async () => {
    const { code, output } = await start([]);
    expect(output).toContain("use --yes");
    expect(code).toBe(1);
  });
});
