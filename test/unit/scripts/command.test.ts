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
    [["--dryrun"], "Unknown option '--dryrun'\nDid you mean --dry-run?"],
    [["--only", "-5"], '--only has no value: one that begins with "-" is written after "=", such as --only=-5'],
    [["--verbose"], "Unknown option '--verbose'"],
    [["--only"], "Option '--only <source>' argument missing"],
    [["--dry-run=1"], "Option '--dry-run' takes no value"],
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

  test("takes the options of the command, and those of all, before and after it", () => {
    const values = { window: true, json: false, url: "http://x" };
    for (const line of [
      "book LH1 12A --window --url http://x",
      "--url http://x book LH1 --window 12A",
      "--window --url http://x book LH1 12A",
      "--window --url=http://x book -- LH1 12A",
      "--window --url=http://x -- book LH1 12A",
    ])
      expect(read(line)).toEqual({ command: "book", args: ["LH1", "12A"], values });
  });

  test("has a command for a line without one", () => {
    expect(read("")).toMatchObject({ command: "list", args: [] });
    expect(read("--json")).toMatchObject({ command: "list", values: { json: true } });
  });

  test.each([
    ["boko", "Unknown command 'boko'\nDid you mean book?"],
    ["fly", "Unknown command 'fly'\nIt is one of: list, book, cancel."],
    ["--json boko", "Unknown command 'boko'\nDid you mean book?"],
    ["book LH1 12A --widnow", "Unknown option '--widnow'\nDid you mean --window?"],
    ["list --widnow", "Unknown option '--widnow'\nDid you mean --window?\nIt is an option of book."],
    ["--hepl", "Unknown option '--hepl'\nDid you mean --help?"],
    ["-x list", "Unknown option '-x'"],
    ["--json=1 list", "Option '--json' takes no value"],
    ["--window list", "Unknown option '--window'\nIt is an option of book."],
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
  "bench",
  "bench:campaigns",
  "bench:cascade",
  "bench:contacts",
  "bench:imports",
  "bench:lmx",
  "bench:mime",
  "bench:segments",
  "bench:sending",
  "bench:workflows",
  "build:client",
  "build:dashboard",
  "campaign",
  "check",
  "crash",
  "dashboard:live",
  "dashboard:scale",
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
  "start",
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

  let runs = 0;
  const run = async (name: string, ...args: readonly string[]) => {
    const file = (scripts[name] ?? "").split(" ").at(-1) ?? "";
    const printed = vi.spyOn(console, "log").mockReturnValue();
    const failed = vi.spyOn(console, "error").mockReturnValue();
    vi.spyOn(process, "on").mockReturnValue(process);
    vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    process.argv = [process.execPath, file, ...args];
    await import(`${join(root, file)}?${runs++}`);
    return { code: process.exitCode, out: printed.mock.calls.join("\n"), err: failed.mock.calls.join("\n") };
  };

  test.each(COMMANDS)("%s names an unknown option", async (name) => {
    const { code, out, err } = await run(name, "--planted");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Unknown option '--planted'\n/);
    expect(err).toContain(`npm run ${name} -- --help lists the options.`);
  });

  test.each(COMMANDS)("%s names the nearest option", async (name) => {
    const { code, out, err } = await run(name, "--hepl");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(`Unknown option '--hepl'\nDid you mean --help?\nnpm run ${name} -- --help lists the options.`);
  });

  test.each([
    ["act --yes retry x", "Unknown option '--yes'\nIt is an option of send-again, replay, erase."],
    ["act help", "It is one of: retry, send-again"],
    ["act retry x --url nowhere", "Expected an address that begins with http:"],
    ["backfill", "Which source? A backfill is possible for: stripe."],
    ["backfill strip --since 1d", 'There is no source "strip". Did you mean stripe?'],
    ["backfill clerk --since 1d", "reads nothing from its API"],
    ["backfill stripe", "--since is missing"],
    ["backfill stripe --since soon", "--since soon: expected"],
    ["backfill stripe --since 2999-01-01", "--since 2999-01-01 is in the future"],
    ["backfill stripe --dry-run --resume", "--dry-run and --resume exclude each other"],
    ["backfill stripe --since 1d --resume", "no --since, no --events"],
    ["bench --only row", '--only: there is no part "row". Did you mean rows?'],
    ["bench --minutes 0", "--minutes 0: expected"],
    ["bench:campaigns --only fast", "It is one of: unsigned, signed, control, profile."],
    ["bench:campaigns --recipients 1", "--recipients 1: expected"],
    ["bench:cascade --bytes 1", "--bytes 1: expected"],
    ["bench:contacts --calls x", "--calls x: expected"],
    ["bench:imports --rows 1", "--rows 1: expected"],
    ["bench:lmx --rounds 0", "--rounds 0: expected"],
    ["bench:mime --rounds x", "--rounds x: expected"],
    ["bench:segments --contacts 1", "--contacts 1: expected"],
    ["bench:sending --mailers 1,x", "--mailers x: expected"],
    ["bench:workflows --runs 1", "--runs 1: expected"],
    ["campaign list --status bogus", "--status bogus: expected"],
    ["check --only strip", "Did you mean stripe?"],
    ["check --create-properties", "--create-properties is about the email service: add --live."],
    ["crash bridg", 'There is no crash test "bridg". Did you mean bridge?'],
    ["crash --crashes 0", "--crashes 0: expected"],
    ["dashboard:live --recipients 1", "--recipients 1: expected"],
    ["demo strip", 'There are no samples of "strip". Did you mean stripe?'],
    ["demo stripe invoice.payed", "Did you mean invoice.paid?"],
    ["demo stripe invoice.paid --set foo", "--set foo: expected path=value."],
    ["deploy --out x --wait", "--out is for --dry-run"],
    ["deploy --no-bridge --service https://x.example", "--service is for the bridge"],
    ["deploy --service http://x.example", "--service http://x.example: expected"],
    ["deploy --yes=1", "Option '--yes' takes no value"],
    ["domains check a.example --wait x", "--wait x: expected"],
    ["email a.lmx --check --open", "--check shows and writes nothing"],
    ["email a.lmx --set name", "--set name: expected"],
    ["email a.lmx --from ada", "--from ada: expected"],
    ["email a.lmx --port x", "--port x: expected"],
    ["fuzz --runs 0", "--runs 0: expected"],
    ["fuzz --seed x", "--seed x: expected"],
    ["fuzz --path 1", "--path is a path of a seed: add --seed."],
    ["fuzz:handlers --seed x", "--seed x: expected"],
    ["fuzz:lmx --seed x", "--seed x: expected"],
    ["import", "Name the CSV file"],
    ["import ", "The name of the CSV file is empty."],
    ["import a.csv --start --dry-run", "give one of them"],
    ["import a.csv --map x", "--map x: expected"],
    ["simulate bogus", "It is one of: outbox, workflows, campaigns, sending."],
    ["simulate sendin", "Did you mean sending?"],
    ["simulate --seeds 0", "--seeds 0: expected"],
    ["template publihs x", "Did you mean publish?"],
    ["torture --seeds 0", "--seeds 0: expected"],
    ["why ada --limit 0", "--limit 0: expected"],
    ["workflow simulate trial --days x", "--days x: expected"],
  ])("%s is refused before anything is done", async (line, message) => {
    const [name = "", ...args] = line.split(" ");
    const { code, out, err } = await run(name, ...args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });

  test.each(COMMANDS)("%s shows its help", async (name) => {
    const { code, out, err } = await run(name, "--help");
    expect([code, err]).toEqual([undefined, ""]);
    expect(out).toContain(`npm run ${name}`);
  });
});
