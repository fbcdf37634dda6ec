import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./problem.ts";

/** `file`: from the root. `line`: from 1. */
type Diagnostic = { file?: string; line?: number; message: string };

const PLACED = /^(\S[^(]*)\((\d+),\d+\): error TS\d+: (.*)$/;
const UNPLACED = /^error TS\d+: (.*)$/;

/** Parses `tsc --pretty false`. Indented lines continue the message above. */
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

export const toProblem = (root: string, { file, line = 0, message }: Diagnostic): Problem => {
  if (file === undefined) return { level: "error", first: true, message };
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, "utf8").split("\n")[line - 1]?.trim() : undefined;
  return { level: "error", first: true, source: `${file}:${line}`, message: text ? `${message}\n${text}` : message };
};

/** `npm run lint` covers tests and scripts. */
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
    const failed = (why: string) =>
      resolve([{ level: "error", first: true, message: `tsc could not check the types: ${why}` }]);
    child.once("error", (error) => failed(error.message));
    child.once("close", (code) => {
      const problems = readDiagnostics(output).map((diagnostic) => toProblem(root, diagnostic));
      if (code !== 0 && problems.length === 0) return failed(output.trim() || `exit code ${code}`);
      resolve(problems);
    });
  });
