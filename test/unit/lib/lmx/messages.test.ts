import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compile, compileLine, type Kind, type Problem } from "../../../../src/lib/lmx/compile.ts";
import { readFile } from "../../../../src/lib/lmx/file.ts";
import { broken, files, lines, misused, unreadable, usingLibrary, values, variables, warned } from "./mistakes.ts";

const root = join(import.meta.dirname, "../../../..");

const shown = (source: string): string => {
  const line = JSON.stringify(source).slice(1, -1).replaceAll('\\"', '"');
  return line.length > 120 ? `${line.slice(0, 120)}… (${source.length} characters)` : line;
};

const entry = (source: string, kind: Kind | "file", problems: readonly Problem[]): string => {
  const said = problems.map(({ line, column, severity, code, message }) => {
    return `  ${line}:${column} ${severity} ${code}: ${message}`;
  });
  return [`${kind === "transactional" ? "" : `(${kind}) `}${shown(source)}`, ...said, ""].join("\n");
};

const mistakes: [source: string, kind: Kind][] = [
  ...[...unreadable, ...misused, ...values, ...usingLibrary].map(
    ([source]) => [source, "transactional"] as [string, Kind],
  ),
  ...variables.map(([kind, source]) => [source, kind] as [string, Kind]),
  ...warned.map(([source]) => [source, "campaign"] as [string, Kind]),
];

const all = [
  ...mistakes.map(([source, kind]) => ({ source, kind, problems: compile(source, kind, {}, broken).problems })),
  ...lines.map(([source]) => ({
    source,
    kind: "transactional" as Kind,
    problems: compileLine(source, "transactional").problems,
  })),
  ...files.map((source) => ({ source, kind: "file" as const, problems: readFile(source).problems })),
];

it("every message is the one in the golden file", async () => {
  const written = `${all.map(({ source, kind, problems }) => entry(source, kind, problems)).join("\n")}`;
  await expect(written).toMatchFileSnapshot(join(root, "test/fixtures/email/lmx/messages.txt"));
});

it("every code of the compiler has a message in the golden file", () => {
  const folder = join(root, "src/lib/lmx");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const codes = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/"([a-z]+(?:_[a-z]+)+)"/g)].map(([, code]) => code),
  );
  const golden = new Set(all.flatMap(({ problems }) => problems.map(({ code }) => code)));
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !golden.has(code ?? ""))).toEqual([]);
});
