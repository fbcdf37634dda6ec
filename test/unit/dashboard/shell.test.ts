import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { curlOf, curlOfEach } from "../../../src/dashboard/app/parts/acts/commands.ts";
import { lineOf } from "../../../src/dashboard/app/parts/acts/shell.ts";
import { mendingOf } from "../../../src/dashboard/app/parts/ledger/mending.ts";
import { allFiles, SRC } from "../source.ts";

const HOSTILE = [
  "`touch pwned`@example.com",
  "$(touch pwned)@example.com",
  `it's "quoted" \\ $HOME`,
  "line\nrm -rf next",
  "--host",
  "-x",
  "; touch pwned #",
  "a && b | c > d * ? [e] {f} ~ !g",
  "=ls",
  "",
  // The end of a bracketed paste, Ctrl-C, Tab, DEL and CSI: a terminal acts on them before the shell.
  "\u001b[201~\u0003 touch pwned\t\u007f\u009b",
];

const callsIn = (text: string): string[][] => {
  const stub = `stub() { printf '%s\\0' "$@" >&3; printf '\\1\\0' >&3; }\nnpm() { stub "$@"; }\ncurl() { stub "$@"; printf '%s' "$ANSWER"; }\n`;
  const written = execFileSync("sh", ["-c", `{ ${stub}${text}\n} 3>&1 >/dev/null </dev/null`], {
    env: {
      ...process.env,
      ANSWER: '{"data":[{"id":"wh_1.0","state":"dead"}]}',
      ADMIN_TOKEN: "token",
      BRIDGE_URL: "http://b",
    },
    encoding: "utf8",
  });
  return written
    .split("\u0001\0")
    .slice(0, -1)
    .map((call) => call.split("\0").slice(0, -1));
};

describe.each(HOSTILE)("the value %j", (value) => {
  it("arrives as it is in a command of this repository", () => {
    const isOption = value.startsWith("-");
    expect(callsIn(lineOf({ name: "why", args: [value] }))).toEqual([
      ["run", "why", "--", ...(isOption ? ["--"] : []), value],
    ]);
    expect(callsIn(lineOf({ name: "act", args: ["forget", value], options: ["--host"] }))).toEqual([
      ["run", "act", "--", ...(isOption ? ["--host", "--", "forget", value] : ["forget", value, "--host"])],
    ]);
    expect(lineOf({ name: "why", args: [value] })).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("arrives as it is in the commands that mend a template", () => {
    const call = { state: "dead", action: "transactional", template: "receipt" } as const;
    const bridge = { team: value, host: { kind: "embedded" }, templates: { receipt: "tpl_receipt" } };
    const { get = "" } = mendingOf(call, { bridge, email: { publicUrl: value } }) ?? {};
    const options = value === "" ? [] : [`--team=${value}`, `--url=${value}`];
    expect(callsIn(get)).toEqual([["run", "template", "--", "get", "tpl_receipt", ...options]]);
  });

  it("arrives as it is in a curl command: in the path, the query and the body", () => {
    const fields = { callId: value, rule: value, email: value };
    for (const route of [
      ["GET", "/c/{callId}", false],
      ["POST", "/c/{callId}", true],
    ] as const) {
      const [words = []] = callsIn(curlOf({ calls: { act: route } }, { api: "bridge", name: "calls.act", fields }));
      const { pathname, searchParams } = new URL(words.at(-1) ?? "");
      expect(decodeURIComponent(pathname)).toBe(`/admin/c/${value}`);
      const told = route[2] ? JSON.parse(words[words.indexOf("-d") + 1] ?? "") : Object.fromEntries(searchParams);
      expect(told).toEqual(value === "" && !route[2] ? {} : { rule: value, email: value });
    }
  });
});

describe("a command on many calls", () => {
  it.each(HOSTILE)("asks with %j as it is", (value) => {
    const table = {
      calls: { search: ["GET", "/calls", false], act: ["POST", "/calls/{callId}", true] },
    } as const;
    const list = { api: "bridge", name: "calls.search", fields: { rule: value } } as const;
    const each = { each: "calls.act", parameter: "callId", fields: { note: value } };
    const calls = callsIn(curlOfEach(table, { list, state: "dead", ...each }));
    const urls = calls.map((words) => new URL(words.at(-1) ?? ""));
    expect(urls.map(({ pathname }) => pathname)).toEqual(["/admin/calls", "/admin/calls/wh_1.0"]);
    expect(urls[0]?.searchParams.get("rule")).toBe(value === "" ? null : value);
    const body = calls[1]?.[calls[1].indexOf("-d") + 1] ?? "";
    expect(JSON.parse(body)).toEqual({ note: value });
  });
});

describe("the pages", () => {
  it("write no command themselves: what is put into one is quoted in one place", () => {
    const own = allFiles.filter((file) => /^dashboard\/app\/.*\.tsx?$/.test(file) && !file.endsWith("acts/shell.ts"));
    const written = own.filter((file) => /`[^`]*(npm run|curl )[^`]*\$\{/.test(readFileSync(join(SRC, file), "utf8")));
    expect(written).toEqual(["dashboard/app/parts/acts/commands.ts"]);
  });
});
