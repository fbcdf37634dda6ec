import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { curlOf, curlOfEach } from "../../../src/dashboard/app/parts/acts/commands.ts";
import { lineOf } from "../../../src/dashboard/app/parts/acts/shell.ts";
import { fixOf } from "../../../src/dashboard/app/parts/ledger/fix.ts";
import { allFiles, SRC } from "../source.ts";

const HOSTILE = [
  "`touch pwned`@example.com",
  "$(touch pwned)@example.com",
  `it's "quoted" \\ $HOME`,
  "line\nrm -rf next",
  "--service",
  "-x",
  "; touch pwned #",
  "a && b | c > d * ? [e] {f} ~ !g",
  "=ls",
  "",
  // The end of a bracketed paste, Ctrl-C, Tab, DEL and CSI: a terminal acts on them before the shell.
  "\u001b[201~\u0003 touch pwned\t\u007f\u009b",
];

const deliveriesIn = (text: string): string[][] => {
  const stub = `stub() { printf '%s\\0' "$@" >&3; printf '\\1\\0' >&3; }\nnpm() { stub "$@"; }\ncurl() { stub "$@"; printf '%s' "$ANSWER"; }\n`;
  const written = execFileSync("sh", ["-c", `{ ${stub}${text}\n} 3>&1 >/dev/null </dev/null`], {
    env: {
      ...process.env,
      ANSWER: '{"data":[{"id":"wh_1.0","state":"failed"}]}',
      ADMIN_TOKEN: "token",
      BRIDGE_URL: "http://b",
    },
    encoding: "utf8",
  });
  return written
    .split("\u0001\0")
    .slice(0, -1)
    .map((delivery) => delivery.split("\0").slice(0, -1));
};

describe.each(HOSTILE)("the value %j", (value) => {
  it("arrives as it is in a command of this repository", () => {
    const isOption = value.startsWith("-");
    expect(deliveriesIn(lineOf({ name: "why", args: [value] }))).toEqual([
      ["run", "why", "--", ...(isOption ? ["--"] : []), value],
    ]);
    expect(deliveriesIn(lineOf({ name: "act", args: ["erase", value], options: ["--service"] }))).toEqual([
      ["run", "act", "--", ...(isOption ? ["--service", "--", "erase", value] : ["erase", value, "--service"])],
    ]);
    expect(lineOf({ name: "why", args: [value] })).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("arrives as it is in the commands that fix a template", () => {
    const message = "No value for data.amount.";
    const delivery = { state: "failed", action: "transactional", template: "receipt", message } as const;
    const bridge = { team: value, service: { kind: "embedded" }, templates: { receipt: "tpl_receipt" } };
    const { get = "" } = fixOf(delivery, { bridge, email: { publicUrl: value } }) ?? {};
    const options = value === "" ? [] : [`--team=${value}`, `--url=${value}`];
    expect(deliveriesIn(get)).toEqual([["run", "template", "--", "get", "tpl_receipt", ...options]]);
  });

  it("arrives as it is in a curl command: in the path, the query and the body", () => {
    const fields = { deliveryId: value, rule: value, email: value };
    for (const route of [
      ["GET", "/c/{deliveryId}", false],
      ["POST", "/c/{deliveryId}", true],
    ] as const) {
      const [words = []] = deliveriesIn(
        curlOf({ deliveries: { act: route } }, { api: "bridge", name: "deliveries.act", fields }),
      );
      const { pathname, searchParams } = new URL(words.at(-1) ?? "");
      expect(decodeURIComponent(pathname)).toBe(`/admin/c/${value}`);
      const told = route[2] ? JSON.parse(words[words.indexOf("-d") + 1] ?? "") : Object.fromEntries(searchParams);
      expect(told).toEqual(value === "" && !route[2] ? {} : { rule: value, email: value });
    }
  });
});

describe("a command on many deliveries", () => {
  it.each(HOSTILE)("asks with %j as it is", (value) => {
    const table = {
      deliveries: { search: ["GET", "/deliveries", false], act: ["POST", "/deliveries/{deliveryId}", true] },
    } as const;
    const list = { api: "bridge", name: "deliveries.search", fields: { rule: value } } as const;
    const each = { each: "deliveries.act", parameter: "deliveryId", fields: { note: value } };
    const deliveries = deliveriesIn(curlOfEach(table, { list, state: "failed", ...each }));
    const urls = deliveries.map((words) => new URL(words.at(-1) ?? ""));
    expect(urls.map(({ pathname }) => pathname)).toEqual(["/admin/deliveries", "/admin/deliveries/wh_1.0"]);
    expect(urls[0]?.searchParams.get("rule")).toBe(value === "" ? null : value);
    const body = deliveries[1]?.[deliveries[1].indexOf("-d") + 1] ?? "";
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
