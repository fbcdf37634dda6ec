import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { ensureDevVars, readDevVars } from "../../../scripts/dev-vars.ts";

const root = join(import.meta.dirname, "../../..");

const filesIn = (folder: string, endings: RegExp): [path: string, text: string][] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => endings.test(path) && statSync(join(root, path)).isFile())
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);

const named = (...names: string[]): [path: string, text: string][] =>
  names.map((name) => [name, readFileSync(join(root, name), "utf8")]);

const OPTION =
  /--[\w-]*(token|secret|api-key|password)\b(?!s-file)|^\s+"?(token|secret|key|password)"?: \{ type: "string"/m;
// `printf` is a part of the shell: its arguments are in no list of processes.
const ARGUMENT =
  /\b(curl|wget|npx|npm|node|echo|env)\b(?:[^\n`]|\\\n)*\$\{?[A-Z_]*(TOKEN|SECRET|KEY|PASSWORD)\b(?![^\n]*\|)/;

describe("secrets and addresses stay out of places that others read", () => {
  it.each(["wrangler.toml", "src/email/wrangler.toml"])(
    "%s keeps no invocation logs: they have every URL",
    (config) => {
      const { observability } = readConfig({ config: join(root, config) });
      expect(observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } });
    },
  );

  it("no command takes a secret as an option, and none suggests one on a command line", () => {
    const texts = ["scripts", "bench", "docs"].flatMap((folder) => filesIn(folder, /\.(ts|mjs|md)$/));
    expect(texts.length).toBeGreaterThan(200);
    expect([...texts, ...named("README.md")].filter(([, text]) => OPTION.test(text)).map(([path]) => path)).toEqual([]);
  });

  it.each([
    ["npm run email -- --admin-token x", true],
    ["  --secret=x", true],
    ['  token: { type: "string" },', true],
    ["npm run deploy -- --secrets-file x", false],
    ['  name: { type: "string" },', false],
  ])("a secret as an option is found in %j: %s", (text, isFound) => {
    expect(OPTION.test(text)).toBe(isFound);
  });

  it("no example gives a secret to a program as an argument, which other users of the machine can read", () => {
    const texts = ["docs", "scripts", "examples", "src"].flatMap((folder) =>
      filesIn(folder, /\.(md|ts|mjs|html|toml)$/),
    );
    expect(texts.length).toBeGreaterThan(1_000);
    const all = [...texts, ...named("README.md", "CONTRIBUTING.md")];
    expect(all.filter(([, text]) => ARGUMENT.test(text)).map(([path]) => path)).toEqual([]);
  });

  it.each([
    ['curl -H "Authorization: Bearer $ADMIN_TOKEN" localhost', true],
    ['curl \\\n  -H "Authorization: Bearer $ADMIN_TOKEN" localhost', true],
    ["echo $STRIPE_WEBHOOK_SECRET > file", true],
    ['printf \'header = "Authorization: Bearer %s"\' "$ADMIN_TOKEN" | curl -K - localhost', false],
    ["npm run deploy", false],
  ])("a secret as an argument is found in %j: %s", (text, isFound) => {
    expect(ARGUMENT.test(text)).toBe(isFound);
  });

  it.each([".env", ".env.production", ".dev.vars", ".dev.vars.staging", ".dev.vars.production.local"])(
    "git ignores %s",
    (name) => {
      const { status } = spawnSync("git", ["check-ignore", "--no-index", "-q", name], { cwd: root });
      expect(status).toBe(0);
    },
  );

  it("the local secrets belong to their user, also where others could read them before", () => {
    const folder = mkdtempSync(join(tmpdir(), "mailspan-private-"));
    const path = join(folder, ".dev.vars");
    writeFileSync(path, "ADMIN_TOKEN=t\n", { mode: 0o644 });
    ensureDevVars(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toContain("ADMIN_TOKEN=t\n");
    rmSync(folder, { recursive: true });
  });

  it("a file with some lines gets the secrets of the sample sources too, and says which", () => {
    const folder = mkdtempSync(join(tmpdir(), "mailspan-private-"));
    const path = join(folder, ".dev.vars");
    writeFileSync(path, "STRIPE_WEBHOOK_SECRET=own\nCLERK_WEBHOOK_SECRET=\nPADDLE_WEBHOOK_SECRET=other\n");
    const added = ensureDevVars(path);
    expect(added).toEqual(expect.arrayContaining(["CLERK_WEBHOOK_SECRET", "SUPABASE_HOOK_SECRET", "ADMIN_TOKEN"]));
    expect(added).not.toContain("EMAIL_API_KEY");
    const vars = readDevVars(path);
    expect(added.filter((name) => (vars[name] ?? "").length < 24)).toEqual([]);
    expect(vars).toMatchObject({ STRIPE_WEBHOOK_SECRET: "own", PADDLE_WEBHOOK_SECRET: "other", INBOX: "1" });
    expect(ensureDevVars(path)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it("git does not ignore the example", () => {
    const { status } = spawnSync("git", ["check-ignore", "--no-index", "-q", ".dev.vars.example"], { cwd: root });
    expect(status).toBe(1);
  });
});
