import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailspan } from "../../system/mailspan.ts";
import { createTeam, startService } from "../team.ts";
import { npmPackages, pythonPackages, run, sayMissing } from "../tools.ts";

const openapi = join(import.meta.dirname, "..", "..", "..", "openapi.json");
const folder = mkdtempSync(join(tmpdir(), "mailspan-generated-"));
const ROUNDS = 5;
/** Calls of one program: eleven in each round, and one of an unknown workflow. */
const CALLS = 11 * ROUNDS + 1;

const python = pythonPackages([
  ...(["openapi-generator-cli==7.26.0", "openapi-python-client==0.29.1", "ruff==0.17.6", "httpx==0.28.1"] as const),
  ...(["pydantic==2.14.4", "urllib3==2.5.0", "python-dateutil==2.9.0.post0"] as const),
]);
const npm = npmPackages([
  ...(["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@24.10.1"] as const),
]);
const missingOf = (found: { missing: string } | object) => ("missing" in found ? found.missing : undefined);
const programMissing = (...names: string[]) =>
  names.map((name) => (run(name, [name === "go" ? "version" : "-version"]).ok ? undefined : `There is no ${name}.`));
const [java, go] = programMissing("java", "go");
const missing = {
  "openapi-typescript": missingOf(npm),
  "openapi-python-client": missingOf(python),
  "openapi-generator for Python": missingOf(python) ?? java,
  "openapi-generator for Go": missingOf(python) ?? java ?? go,
};
for (const [name, why] of Object.entries(missing)) if (why !== undefined) sayMissing(`A client of ${name}`, why);

const bin = (name: string) => join((python as { bin: string }).bin, name);
const source = (name: string) => join(import.meta.dirname, name);

const done = (command: string, args: readonly string[], env?: Record<string, string>): string => {
  const { ok, text } = run(command, args, env);
  expect(ok, text).toBe(true);
  return text;
};

const generate = (language: string, out: string, properties: string): void => {
  const code = "import openapi_generator_cli as o, os; print(os.path.dirname(o.__file__))";
  const jar = join(done(bin("python"), ["-c", code]).trim(), "openapi-generator.jar");
  const given = ["-i", openapi, "-g", language, "-o", out, `--additional-properties=${properties}`];
  done("java", ["-jar", jar, "generate", ...given]);
};

let mailspan: Mailspan;
let teams: string[][];
beforeAll(async () => {
  mailspan = await startService();
  // Before the tools run: a connection that is idle for minutes is closed.
  teams = await Promise.all(
    ["typescript", "python-client", "python", "go"].map(async (id) => {
      const { key, list } = await createTeam(mailspan, id);
      return [mailspan.emailUrl, key, list, `${ROUNDS}`];
    }),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mailspan.stop();
});

const SLOW = 600_000;

describe("a client generated from openapi.json compiles, and reads each answer by its type", () => {
  it.skipIf(missing["openapi-typescript"])(
    "by openapi-typescript",
    () => {
      const { path } = npm as { path: string };
      const program = (name: string) => join(path, "node_modules", ".bin", name);
      done(program("openapi-typescript"), [openapi, "-o", join(path, "schema.ts")]);
      copyFileSync(source("openapi-typescript.txt"), join(path, "calls.ts"));
      const files = ["calls.ts", "schema.ts"].map((name) => join(path, name));
      const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node"];
      done(program("tsc"), [
        ...options,
        "--typeRoots",
        join(path, "node_modules/@types"),
        "--allowImportingTsExtensions",
        ...files,
      ]);
      expect(done(process.execPath, [join(path, "calls.ts"), ...(teams[0] ?? [])])).toBe(`${CALLS} calls\n`);
    },
    SLOW,
  );

  it.skipIf(missing["openapi-python-client"])(
    "by openapi-python-client",
    () => {
      const out = join(folder, "python-client");
      const config = join(folder, "config.yaml");
      writeFileSync(config, "package_name_override: mailspan\n");
      const PATH = `${bin("")}:${process.env.PATH}`;
      const text = done(
        bin("openapi-python-client"),
        ["generate", "--path", openapi, "--output-path", out, "--config", config],
        { PATH },
      );
      expect(text).not.toMatch(/warning|error|unable/i);
      done(bin("python"), ["-m", "compileall", "-q", out]);
      const program = [source("openapi_python_client.py"), ...(teams[1] ?? [])];
      expect(done(bin("python"), program, { PYTHONPATH: out })).toBe(`${CALLS} calls\n`);
    },
    SLOW,
  );

  it.skipIf(missing["openapi-generator for Python"])(
    "by openapi-generator for Python",
    () => {
      const out = join(folder, "python");
      generate("python", out, "packageName=openapi_client");
      done(bin("python"), ["-m", "compileall", "-q", out]);
      const program = [source("openapi_generator.py"), ...(teams[2] ?? [])];
      expect(done(bin("python"), program, { PYTHONPATH: out })).toBe(`${CALLS} calls\n`);
    },
    SLOW,
  );

  it.skipIf(missing["openapi-generator for Go"])(
    "by openapi-generator for Go",
    () => {
      const out = join(folder, "go");
      generate(
        "go",
        out,
        "packageName=mailspan,useOneOfDiscriminatorLookup=true,disallowAdditionalPropertiesIfNotPresent=false",
      );
      const module = join(out, "go.mod");
      writeFileSync(module, readFileSync(module, "utf8").replace(/^module .*/, "module example.com/mailspan"));
      mkdirSync(join(out, "calls"));
      copyFileSync(source("openapi_generator.go"), join(out, "calls", "main.go"));
      done("go", ["-C", out, "build", "./..."]);
      expect(done("go", ["-C", out, "run", "./calls", ...(teams[3] ?? [])])).toBe(`${CALLS} calls\n`);
    },
    SLOW,
  );
});
