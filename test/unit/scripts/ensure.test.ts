import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

type Package = { version: string; integrity: string; dev?: true; devOptional?: true; optional?: true };

const hono: Package = { version: "1.0.0", integrity: "sha512-hono" };
const stripe: Package = { version: "2.0.0", integrity: "sha512-stripe", dev: true };
const forMac: Package = { version: "3.0.0", integrity: "sha512-mac", optional: true };
/** A package of the tests and of an optional package. npm installs it with either. */
const tslib: Package = { version: "4.0.0", integrity: "sha512-tslib", devOptional: true };
const lock = {
  "node_modules/hono": hono,
  "node_modules/tslib": tslib,
  "node_modules/stripe": stripe,
  "node_modules/for-mac": forMac,
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mailspan-ensure-"));
  mkdirSync(join(folder, "scripts"));
  cpSync(join(import.meta.dirname, "../../../scripts/ensure.mjs"), join(folder, "scripts/ensure.mjs"));
  writeFileSync(join(folder, "npm.js"), NPM);
  write("package-lock.json", { packages: lock });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, value: unknown) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(value));
};

const NPM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const [command, ...options] = process.argv.slice(2);
appendFileSync("npm.log", [command, ...options.filter((option) => /dev|save/.test(option))].join(" ") + "\\n");
if (command === "ci") rmSync("node_modules", { recursive: true, force: true });
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const [path, { dev, optional }] of Object.entries(packages)) {
  if (optional || (dev && options.includes("--omit=dev"))) { delete packages[path]; continue; }
  mkdirSync(path, { recursive: true });
  writeFileSync(path + "/package.json", "{}");
  if (existsSync("interrupt") && path.endsWith("tslib")) process.exit(130);
}
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
`;

const ensure = (...args: string[]): string[] => {
  const log = join(folder, "npm.log");
  rmSync(log, { force: true });
  const env = { ...process.env, npm_execpath: join(folder, "npm.js") };
  spawnSync(process.execPath, [join(folder, "scripts/ensure.mjs"), ...args], { cwd: folder, env });
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
};
const npm = (...args: string[]) => spawnSync(process.execPath, ["npm.js", ...args], { cwd: folder });
const has = (name: string) => existsSync(join(folder, "node_modules", name));

const RUNNING = ["ci --omit=dev"];
const ALL = ["ci --include=dev"];
const ADD = ["install --no-save --include=dev"];

describe("scripts/ensure.mjs", () => {
  it("installs what running needs, once", () => {
    expect(ensure()).toEqual(RUNNING);
    expect([has("hono"), has("stripe")]).toEqual([true, false]);
    expect(ensure()).toEqual([]);
  });

  it("adds what tests need to what is there", () => {
    ensure();
    expect(ensure("--all")).toEqual(ADD);
    expect([has("hono"), has("stripe")]).toEqual([true, true]);
    expect(ensure("--all")).toEqual([]);
  });

  it("installs everything at once where nothing is there, and nothing for running after that", () => {
    expect(ensure("--all")).toEqual(ALL);
    expect(ensure()).toEqual([]);
    expect(has("stripe")).toBe(true);
  });

  it("installs nothing after npm ci by hand", () => {
    npm("ci");
    expect([...ensure(), ...ensure("--all")]).toEqual([]);
  });

  it("installs nothing over the packages of this repository, as npm installed them", () => {
    const root = join(import.meta.dirname, "../../..");
    const copied = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as { packages: object };
    const installed = copied("node_modules/.package-lock.json");
    for (const path of Object.keys(installed.packages))
      if (existsSync(join(root, path, "package.json"))) write(`${path}/package.json`, {});
    write("node_modules/.package-lock.json", installed);
    write("package-lock.json", copied("package-lock.json"));
    expect([...ensure(), ...ensure("--all")]).toEqual([]);
  });

  it("installs again after a change of the lock file, and keeps the packages of tests where they are", () => {
    ensure();
    write("package-lock.json", { packages: { ...lock, "node_modules/hono": { ...hono, version: "1.0.1" } } });
    expect(ensure()).toEqual(RUNNING);
    ensure("--all");
    write("package-lock.json", { packages: { ...lock, "node_modules/hono": { ...hono, integrity: "sha512-other" } } });
    expect(ensure()).toEqual(ALL);
  });

  it("installs again when an optional package of this platform changed, for example Node", () => {
    const optional = (version: string) => ({ packages: { ...lock, "node_modules/node": { version, optional: true } } });
    write("package-lock.json", optional("1.0.0"));
    npm("ci");
    expect(ensure("--all")).toEqual([]);
    write("node_modules/node/package.json", {});
    write("node_modules/.package-lock.json", optional("1.0.0"));
    expect(ensure("--all")).toEqual([]);
    write("package-lock.json", optional("1.0.1"));
    expect(ensure()).not.toEqual([]);
  });

  it("brings the same version of Node on every platform", () => {
    const manifest = readFileSync(join(import.meta.dirname, "../../../scripts/package.json"), "utf8");
    const { optionalDependencies } = JSON.parse(manifest) as { optionalDependencies: Record<string, string> };
    expect(Object.keys(optionalDependencies).filter((name) => /^node-/.test(name))).toHaveLength(5);
    expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
  });

  it("does not install for running when only a package of tests changed", () => {
    ensure();
    write("package-lock.json", { packages: { ...lock, "node_modules/stripe": { ...stripe, version: "2.0.1" } } });
    expect(ensure()).toEqual([]);
    expect(ensure("--all")).toEqual(ADD);
    write("package-lock.json", { packages: { ...lock, "node_modules/stripe": { ...stripe, version: "2.0.2" } } });
    expect(ensure()).toEqual([]);
  });

  it.each([
    { args: [], asked: RUNNING },
    { args: ["--all"], asked: ALL },
  ])("repairs an install that was interrupted: $asked", ({ args, asked }) => {
    write("interrupt", true);
    ensure(...args);
    rmSync(join(folder, "interrupt"));
    expect(ensure(...args)).toEqual(asked);
    expect(ensure(...args)).toEqual([]);
  });

  it("starts from nothing when adding the packages of tests was interrupted", () => {
    ensure();
    write("interrupt", true);
    expect(ensure("--all")).toEqual(ADD);
    rmSync(join(folder, "interrupt"));
    expect(ensure("--all")).toEqual(ALL);
  });

  it("repairs a package folder that was removed", () => {
    ensure();
    rmSync(join(folder, "node_modules/hono"), { recursive: true });
    expect(ensure()).toEqual(RUNNING);
  });

  it("fails when npm fails", () => {
    write("interrupt", true);
    const env = { ...process.env, npm_execpath: join(folder, "npm.js") };
    const { status } = spawnSync(process.execPath, ["scripts/ensure.mjs"], { cwd: folder, env });
    expect(status).toBe(130);
  });
});

describe("scripts/run.mjs", () => {
  const COMMAND = `
import { writeFileSync } from "node:fs";
writeFileSync("ran.json", JSON.stringify({ args: process.argv.slice(2), node: process.execPath }));
process.exitCode = 3;`;

  const run = (nodeVersion: string, ...line: string[]) => {
    cpSync(join(import.meta.dirname, "../../../scripts/run.mjs"), join(folder, "scripts/run.mjs"));
    write("scripts/package.json", { optionalDependencies: { "node-here": nodeVersion } });
    writeFileSync(join(folder, "scripts/command.mjs"), COMMAND);
    rmSync(join(folder, "ran.json"), { force: true });
    const env = { ...process.env, npm_execpath: join(folder, "npm.js") };
    const { status } = spawnSync(process.execPath, ["scripts/run.mjs", ...line], { cwd: folder, env });
    const text = existsSync(join(folder, "ran.json")) ? readFileSync(join(folder, "ran.json"), "utf8") : "null";
    return { status, ran: JSON.parse(text) as { args: string[]; node: string } | null };
  };

  it("installs what the command needs, runs it with its arguments, and ends with its exit code", () => {
    const args = ["--only", "stripe", "--all"];
    expect(run(process.versions.node, "--all", "scripts/command.mjs", ...args)).toEqual({
      status: 3,
      ran: { args, node: process.execPath },
    });
    expect(has("stripe")).toBe(true);
  });

  it("runs it with the installed Node where it was started with another version", () => {
    expect(run("0.0.1", "scripts/command.mjs").ran).toEqual({ args: [], node: process.execPath });
    mkdirSync(join(folder, "node_modules/node-here/bin"), { recursive: true });
    cpSync(process.execPath, join(folder, "node_modules/node-here/bin/node"));
    const { status, ran } = run("0.0.1", "scripts/command.mjs", "a b");
    expect([status, ran?.args]).toEqual([3, ["a b"]]);
    expect(ran?.node).toBe(join(folder, "node_modules/node-here/bin/node"));
  });

  it("runs nothing when the installation fails", () => {
    write("interrupt", true);
    expect(run(process.versions.node, "scripts/command.mjs")).toEqual({ status: 130, ran: null });
  });
});
