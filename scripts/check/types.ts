import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Problem } from "./problem.ts";
import { rulesAt, type SourceFile } from "./rule-at.ts";

/** An error of the compiler: path from the root, line from 1. */
type Diagnostic = { file?: string; line?: number; message: string };

const PLACED = /^(\S[^(]*)\((\d+),\d+\): error TS\d+: (.*)$/;
const UNPLACED = /^error TS\d+: (.*)$/;

/** The errors in what `tsc --pretty false` printed. What a message goes on with is on indented lines. */
export const readDiagnostics = (output: string): Diagnostic[] => {
  const found: Diagnostic[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, file, at, message] = PLACED.exec(line) ?? [];
    const [, unplaced] = UNPLACED.exec(line) ?? [];
    const last = found.at(-1);
    if (file !== undefined) found.push({ file, line: Number(at), message: message ?? "" });
    else if (unplaced !== undefined) found.push({ message: unplaced });
    else if (last && /^\s+\S/.test(line)) last.message += `\n${line}`;
  }
  return found;
};

const MAPPINGS = "src/mappings";

/** Every file of rules, also in a provider's own folder. */
const mappingsIn = (root: string): SourceFile[] =>
  readdirSync(join(root, MAPPINGS), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({
      file: `${MAPPINGS}/${path.split(sep).join("/")}`,
      text: readFileSync(join(root, MAPPINGS, path), "utf8"),
    }));

/** A compiler error as a problem, of each rule it stands in. */
export const toProblems = (root: string, { file, line = 0, message }: Diagnostic): Problem[] => {
  if (file === undefined) return [{ level: "error", message }];
  const place = `${file}:${line}`;
  const mappings = file.startsWith(`${MAPPINGS}/`) ? mappingsIn(root) : [];
  const mapping = mappings.find((other) => other.file === file);
  const rules = mapping ? rulesAt(mapping, line, mappings) : [];
  if (rules.length === 0) return [{ level: "error", source: place, message }];
  return rules.map((rule) => ({ level: "error", source: place, rule, message }));
};

/** Type-checks both Workers, in a process of its own. Tests and scripts take most of the time, and `npm test` has them. */
export const checkTypes = (root: string): Promise<Problem[]> =>
  new Promise((resolve) => {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const child = spawn(process.execPath, [tsc, "-p", "scripts/check/tsconfig.json", "--pretty", "false"], {
      cwd: root,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const failed = (why: string) => resolve([{ level: "error", message: `tsc could not check the types: ${why}` }]);
    child.once("error", (error) => failed(error.message));
    child.once("close", (code) => {
      const problems = readDiagnostics(output).flatMap((diagnostic) => toProblems(root, diagnostic));
      if (code !== 0 && problems.length === 0) return failed(output.trim() || `it ended with ${code}`);
      resolve(problems);
    });
  });
