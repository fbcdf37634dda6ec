import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import { afterEach, describe, expect, test, vi } from "vitest";
import { UsageError } from "../../../scripts/lib/cli.ts";
import { define, parse } from "../../../scripts/lib/command.ts";
import { contactStep } from "../../../scripts/lib/named.ts";

const root = join(import.meta.dirname, "../../..");
const url = { value: "url", about: "an address" } as const;

afterEach(() => vi.restoreAllMocks());

const helpOf = (work: () => unknown): string => {
  const printed = vi.spyOn(console, "log").mockClear().mockReturnValue();
  expect(work).toThrow(CommanderError);
  return printed.mock.calls.join("\n");
};

describe("the command line", () => {
  const command = define({
    name: "check",
    about: "Checks.",
    examples: [["--only stripe", "one source"]],
    arguments: ["[name]"],
    options: {
      only: { value: "source", about: "only this source" },
      "dry-run": { about: "changes nothing" },
      "no-watch": { about: "shows nothing" },
      watch: { about: "shows all" },
      set: { value: "a=b", many: true, about: "sets" },
      limit: { value: "n", default: "50", about: "most rows" },
    },
    notes: "Exit code 1 if it fails.",
  });

  test("gives options and arguments", () => {
    const none = { "dry-run": false, "no-watch": false, watch: false, limit: "50" };
    expect(parse(command, [])).toEqual({ command: "", args: [], values: none });
    expect(parse(command, ["ada", "--only", "stripe", "--no-watch", "--set", "a=1", "--set=b=2"])).toEqual({
      command: "",
      args: ["ada"],
      values: { ...none, only: "stripe", "no-watch": true, set: ["a=1", "b=2"] },
    });
  });

  test("has a help with the description, options with their defaults, and examples", () => {
    for (const option of ["--help", "-h"]) {
      const help = helpOf(() => parse(command, ["ada", "bo", option]));
      expect(help).toMatch(/^Usage: npm run check -- \[options\] \[name\]\n\nChecks\.\n/);
      expect(help).toContain('--limit <n>      most rows (default: "50")');
      expect(help).toContain("  npm run check -- --only stripe  one source\n\nExit code 1 if it fails.");
    }
  });

  test.each([
    [["--dryrun"], "Unknown option '--dryrun'\n(Did you mean --dry-run?)"],
    [["--only", "-5"], '--only has no value: one that begins with "-" is written after "=", such as --only=-5'],
    [["--verbose"], "Unknown option '--verbose'"],
    [["--only"], "Option '--only <source>' argument missing"],
    [["--dry-run=1"], "Unknown option '--dry-run=1'\n(Did you mean --dry-run?)"],
    [["a", "b"], "Too many arguments. Expected 1 argument but got 2: a, b.\nPut a name with spaces in quotes."],
  ])("%j is an error that names the option and --help", (args, message) => {
    expect(() => parse(command, args)).toThrow(
      new UsageError(`${message}\nnpm run check -- --help lists the options.`),
    );
  });

  test.each(["notaurl", "ftp://x", "", "http://", "127.0.0.1:8788"])("--url %j is no address of a Worker", (text) => {
    for (const option of ["url", "email-url"]) {
      const withAddress = define({ name: "why", about: "Asks.", examples: [[""]], options: { [option]: url } });
      expect(() => parse(withAddress, [`--${option}=${text}`])).toThrow(/Expected an address that begins with http:/);
      expect(parse(withAddress, [`--${option}=https://a.example`]).values).toEqual({ [option]: "https://a.example" });
    }
  });
});

describe("the command line of a program with commands", () => {
  const airline = define({
    name: "airline",
    about: "Flights of an airline.",
    examples: [["book LH1 12A", "books a seat"]],
    usual: "list",
    options: { window: { about: "at the window" }, json: { about: "as JSON" }, url },
    commands: {
      list: { about: "lists the flights", options: ["json"], examples: [["list"]] },
      book: {
        about: "books a seat",
        arguments: ["<flight>", "<seat>"],
        options: ["window", "json"],
        examples: [["book LH1 12A --window", "at the window"]],
      },
      cancel: { about: "cancels a flight", arguments: ["<flight>"], options: ["json"], examples: [["cancel LH1"]] },
    },
  });
  const read = (line: string) => parse(airline, line === "" ? [] : line.split(" "));

  test("takes the options of the command, and those of all before and after it", () => {
    const values = { window: true, json: false, url: "http://x" };
    for (const line of ["book LH1 12A --window --url http://x", "--url http://x book LH1 --window 12A"])
      expect(read(line)).toEqual({ command: "book", args: ["LH1", "12A"], values });
  });

  test("has a command for a line without one", () => {
    expect(read("")).toMatchObject({ command: "list", args: [] });
    expect(read("--json")).toMatchObject({ command: "list", values: { json: true } });
  });

  test.each([
    ["boko", "Unknown command 'boko'\n(Did you mean book?)"],
    ["book", "Missing required argument 'flight'"],
    ["book LH1", "Missing required argument 'seat'"],
    ["list --window", "Unknown option '--window'\nIt is an option of book."],
    ["list LH1", "Too many arguments for 'list'. Expected 0 arguments but got 1"],
    ["book to Rome 12A", "Put a name with spaces in quotes."],
    ["book LH1 12A --url x", "Expected an address"],
  ])("%s is refused", (line, message) => {
    expect(() => read(line)).toThrow(UsageError);
    expect(() => read(line)).toThrow(message);
  });

  test("has a help with all commands, and one for each with its options and examples", () => {
    const help = helpOf(() => read("--help"));
    for (const text of ["list [options] ", "book [options] <flight> <seat>  books a seat", "cancel [options] <flight>"])
      expect(help).toContain(text);
    const ofBook = helpOf(() => read("book --help"));
    expect(ofBook).toContain("--window     at the window");
    expect(ofBook).toContain("--url <url>");
    expect(ofBook).toContain("npm run airline -- book LH1 12A --window  at the window");
    expect(helpOf(() => read("cancel --help"))).not.toContain("--window");
  });

  test("has no contact that an address would resolve", () => {
    expect(contactStep("a/b@example.com")).toBe("a%2Fb%40example.com");
    for (const contact of ["", ".", ".."]) expect(() => contactStep(contact)).toThrow("names no contact");
  });
});

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const COMMANDS = [
  "act",
  "backfill",
  "build:client",
  "build:dashboard",
  "campaign",
  "check",
  "crash",
  "demo",
  "deploy",
  "domains",
  "email",
  "fuzz",
  "fuzz:handlers",
  "fuzz:lmx",
  "import",
  "openapi",
  "providers",
  "screenshots",
  "simulate",
  "template",
  "torture",
  "why",
  "workflow",
];

describe("each command", () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
    process.exitCode = undefined;
    vi.restoreAllMocks();
  });

  const run = async (name: string, arg: string) => {
    const file = (scripts[name] ?? "").split(" ").at(-1) ?? "";
    const printed = vi.spyOn(console, "log").mockReturnValue();
    const failed = vi.spyOn(console, "error").mockReturnValue();
    process.argv = [process.execPath, file, arg];
    await import(`${join(root, file)}?${arg}`);
    return { code: process.exitCode, out: printed.mock.calls.join("\n"), err: failed.mock.calls.join("\n") };
  };

  test.each(COMMANDS)("%s names an unknown option", async (name) => {
    const { code, out, err } = await run(name, "--planted");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^(Unknown option '--planted'|No command is given|Missing required argument)/);
    expect(err).toContain(`npm run ${name} -- --help lists the options.`);
  });

  test.each(COMMANDS)("%s shows its help", async (name) => {
    const { code, out, err } = await run(name, "--help");
    expect([code, err]).toEqual([undefined, ""]);
    expect(out).toContain(`npm run ${name}`);
  });
});
