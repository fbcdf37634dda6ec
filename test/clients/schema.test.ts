import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { type Accepted, own, published } from "./accepted.ts";
import { createTeam, startService } from "./team.ts";
import { npmPackage, pythonPackages, run, sayMissing } from "./tools.ts";

const root = join(import.meta.dirname, "..", "..");
const openapi = join(root, "openapi.json");
/** Seconds of requests for each schema: five minutes, or SCHEMA_SECONDS. */
const seconds = Number(process.env.SCHEMA_SECONDS ?? 300);

const python = pythonPackages(["openapi-spec-validator==0.9.0", "schemathesis==4.32.5", "pyloops==1.22.6"]);
if ("missing" in python) sayMissing("openapi-spec-validator and schemathesis", python.missing);
const redocly = npmPackage("@redocly/cli", "2.77.0");
if ("missing" in redocly) sayMissing("@redocly/cli", redocly.missing);
const program = (name: string) => join((python as { bin: string }).bin, name);

let mailspan: Mailspan;
let keys: string[];
beforeAll(async () => {
  mailspan = await startService();
  // Before the tools run: a connection that is idle for minutes is closed.
  const teams = await Promise.all(["own", "published"].map((id) => createTeam(mailspan, id, true)));
  keys = teams.map(({ key }) => key);
});
afterAll(() => mailspan.stop());

it.skipIf("missing" in python)("openapi-spec-validator finds nothing", () => {
  expect(run(program("openapi-spec-validator"), [openapi])).toEqual({ ok: true, text: `${openapi}: OK\n` });
});

it.skipIf("missing" in redocly)("@redocly/cli lint finds nothing with its recommended rules", () => {
  const bin = join((redocly as { path: string }).path, "..", "..", ".bin", "redocly");
  const { ok, text } = run(bin, ["lint", openapi, "--format=summary"]);
  expect(ok, text).toBe(true);
  expect(text).not.toMatch(/^(error|warning) /m);
});

const publishedArguments = () => {
  const { operations } = JSON.parse(readFileSync(join(root, "test/fixtures/api/published.json"), "utf8"));
  const ids = (operations as { operation: string }[]).flatMap(({ operation }) => ["--include-operation-id", operation]);
  const { text } = run(program("python"), ["-c", "import pyloops; print(pyloops.openapi_spec_path())"]);
  return [text.trim(), ...ids];
};

type Report = {
  operations: { selected: number; tested: number };
  failures: { code: string; title: string; operations: string[] }[];
  errors: unknown[];
};

const findings = ({ failures }: Report, accepted: readonly Accepted[]): string[] => {
  const isAccepted = (code: string, operation: string) =>
    accepted.some((one) => one.code === code && (one.operations?.includes(operation) ?? true));
  return failures.flatMap(({ code, title, operations }) =>
    operations.filter((operation) => !isAccepted(code, operation)).map((at) => `${code} ${title}: ${at}`),
  );
};

describe.skipIf("missing" in python)("schemathesis", () => {
  it.each([
    ["openapi.json", 0, () => [openapi], own],
    ["the published schema", 1, publishedArguments, published],
  ] as [string, number, () => string[], readonly Accepted[]][])(
    "finds nothing by %s but what is accepted",
    (_, team, schema, accepted) => {
      const report = join(tmpdir(), `mailspan-schemathesis-${process.pid}.json`);
      const { text } = run(program("schemathesis"), [
        "run",
        ...schema(),
        "--url",
        mailspan.emailUrl,
        "-H",
        `Authorization: Bearer ${keys[team]}`,
        "--no-color",
        "--rate-limit",
        "9/s",
        "--max-time",
        `${seconds}`,
        "--report",
        "json",
        "--report-json-path",
        report,
      ]);
      const found = JSON.parse(readFileSync(report, "utf8")) as Report;
      rmSync(report);
      expect(findings(found, accepted), text).toEqual([]);
      expect(found.errors, text).toEqual([]);
      expect(found.operations.selected, text).toBeGreaterThan(0);
      expect(found.operations.tested, text).toBe(found.operations.selected);
    },
    (seconds + 120) * 1_000,
  );
});
