import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  columns,
  count,
  onOneLine,
  parse,
  printable,
  table,
  UsageError,
  wholeNumber,
} from "../../../scripts/lib/cli.ts";

const root = join(import.meta.dirname, "../../..");

describe("the command line", () => {
  const command = {
    name: "check",
    options: { only: { type: "string" }, "dry-run": { type: "boolean", default: false } },
    arguments: 1,
  } as const;

  test("gives options and arguments", () => {
    expect(parse(command, ["ada", "--only", "stripe"])).toEqual({
      isHelp: false,
      values: { only: "stripe", "dry-run": false },
      positionals: ["ada"],
    });
    for (const help of ["--help", "-h"])
      expect(parse(command, ["ada", "bo", help])).toMatchObject({ isHelp: true, positionals: ["ada", "bo"] });
  });

  test.each([
    [["--dryrun"], "Unknown option --dryrun. Did you mean --dry-run? npm run check -- --help lists the options."],
    [
      ["--only", "-5"],
      '--only has no value: one that begins with "-" is written after "=", such as --only=-5. npm run check -- --help lists the options.',
    ],
    [["--verbose"], "Unknown option --verbose. npm run check -- --help lists the options."],
    [["--only"], "Option '--only <value>' argument missing. npm run check -- --help lists the options."],
    [["--dry-run=1"], "Option '--dry-run' does not take an argument. npm run check -- --help lists the options."],
    [["a", "b"], "Unexpected argument: b. npm run check -- --help lists the options."],
  ])("%j is an error that names the option and --help", (args, message) => {
    expect(() => parse(command, args)).toThrow(new UsageError(message));
  });

  test.each(["notaurl", "ftp://x", "", "http://", "127.0.0.1:8788"])("--url %j is no address of a Worker", (text) => {
    for (const option of ["url", "email-url"]) {
      const withAddress = { name: "why", options: { [option]: { type: "string" } } } as const;
      expect(() => parse(withAddress, [`--${option}=${text}`])).toThrow(
        new UsageError(`--${option} ${text}: expected an address that begins with http:// or https://.`),
      );
      expect(parse(withAddress, [`--${option}=https://a.example`]).values).toEqual({ [option]: "https://a.example" });
    }
  });

  test("a number has limits", () => {
    expect(wholeNumber("limit", "50", { min: 1 })).toBe(50);
    for (const text of ["0", "x", "-1", "1.5", "", "1000"]) {
      expect(() => wholeNumber("limit", text, { min: 1, max: 999 })).toThrow(
        new UsageError(`--limit ${text}: expected a whole number from 1 to 999.`),
      );
    }
  });
});

test("words are counted", () => {
  expect([count(0, "rule"), count(1, "rule"), count(2, "rule")]).toEqual(["0 rules", "1 rule", "2 rules"]);
});

test("columns are lined up, titles are not", () => {
  expect(columns([["a much longer title"], ["  a", "1"], ["  long", "22"]])).toBe(
    "a much longer title\n  a     1\n  long  22",
  );
});

test("a table underlines its heads", () => {
  expect(table(["name", ""], [["ada", "ready"]])).toBe("name\n────  ─────\nada   ready");
});

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const COMMANDS = [
  "act",
  "backfill",
  "build:client",
  "campaign",
  "check",
  "demo",
  "deploy",
  "domains",
  "email",
  "fuzz",
  "fuzz:handlers",
  "fuzz:lmx",
  "import",
  "providers",
  "screenshots",
  "simulate",
  "why",
  "workflow",
];

test("control characters of a text cannot reach the terminal", () => {
  expect(printable("a\u001b[2Jb\u009bc\u202ed\re\tf\ng é")).toBe("a\\u001b[2Jb\\u009bc\\u202ed\\u000de\tf\ng é");
  expect(table(["name"], [["Trial\u001b]0;x\u0007\nSending"]])).toBe(
    `name\n${"─".repeat(30)}\nTrial\\u001b]0;x\\u0007\\nSending`,
  );
});

test("each text of an answer becomes one line", () => {
  expect(onOneLine({ name: "a\nb", list: [{ c: "d\te\u202e" }, 1, null], is: true })).toEqual({
    name: "a\\nb",
    list: [{ c: "d\\te\\u202e" }, 1, null],
    is: true,
  });
});

describe("each command", () => {
  const { argv } = process;
  afterEach(() => {
    process.argv = argv;
    process.exitCode = undefined;
    vi.restoreAllMocks();
  });

  const run = async (name: string, arg: string) => {
    const [, file = ""] = (scripts[name] ?? "").split(" ");
    const printed = vi.spyOn(console, "log").mockReturnValue();
    const failed = vi.spyOn(console, "error").mockReturnValue();
    process.argv = [process.execPath, file, arg];
    await import(`${join(root, file)}?${arg}`);
    return { code: process.exitCode, out: printed.mock.calls.join("\n"), err: failed.mock.calls.join("\n") };
  };

  test.each(COMMANDS)("%s names an unknown option", async (name) => {
    expect(await run(name, "--planted")).toEqual({
      code: 2,
      out: "",
      err: `Unknown option --planted. npm run ${name} -- --help lists the options.`,
    });
  });

  test.each(COMMANDS)("%s shows its help", async (name) => {
    const { code, out, err } = await run(name, "--help");
    expect([code, err]).toEqual([undefined, ""]);
    expect(out).toContain(`npm run ${name}`);
  });
});
