import { readFile } from "../../src/lib/lmx/file.ts";
import { compileMessage } from "../../src/lib/lmx/message/compile-message.ts";
import { type MessageDefaults, withDefaults } from "../../src/lib/lmx/message/message-source.ts";
import { type Files, findingOf } from "./finding.ts";
import type { Finding } from "./frames.ts";
import { judge } from "./judge.ts";
import { missingFix, readBeside } from "./library.ts";
import { type Mail, mailOf, missingValues, valuesOf } from "./mail.ts";
import { kindOf, sourceOf } from "./message.ts";
import { readText } from "./read.ts";
import { failed } from "./summary.ts";
import type { Values } from "./values.ts";

/** A compiled file. `mail`: absent on errors. `files`: inputs to watch, also missing ones. */
export type Built = { path: string; source: string; findings: Finding[]; files: string[]; mail?: Mail };

/** Input beside the file. `theme`: a theme file that replaces the file's theme. */
export type Given = { values?: Values; theme?: string | undefined; sender?: MessageDefaults | undefined };

/** Compiles a file with sample or given values. Never throws. */
export const build = (path: string, shown: string, { values: given = {}, theme, sender }: Given = {}): Built => {
  const read = readText(path, shown);
  if ("refused" in read) return { path: shown, source: "", findings: [read.refused], files: [path] };
  const { file, problems } = readFile(read.text);
  const beside = readBeside(path, shown, file, theme);
  const source = withDefaults(sourceOf(file), sender);
  const kind = kindOf(file);
  const { compiled } = compileMessage(source, kind, beside.library);
  const inMail = [...problems, ...beside.problems, ...judge(source, kind, beside.library, file)];
  const files: Files = { mail: { path: shown, text: read.text }, components: beside.components };
  const findings = [...inMail.map((problem) => withFileFix(findingOf(problem, files), path)), ...beside.findings].sort(
    byPosition,
  );
  const result = { path: shown, source: read.text, files: [path, ...beside.files] };
  if (compiled === undefined || failed([...problems, ...beside.problems, ...beside.findings]))
    return { ...result, findings };
  const values = valuesOf(compiled, file, given);
  const all = [...findings, ...missingValues(shown, read.text, values)].sort(byPosition);
  return { ...result, findings: all, mail: mailOf(source, compiled, values) };
};

const byPosition = (a: Finding, b: Finding): number =>
  Number(a.path > b.path) - Number(a.path < b.path) || a.line - b.line || a.column - b.column;

const withFileFix = (finding: Finding, path: string): Finding => {
  const [, kind, id] = /^There is no (theme|component) ([\w-]+)$/.exec(finding.message) ?? [];
  if (id === undefined) return finding;
  return { ...finding, fix: missingFix(kind === "theme" ? "themes" : "components", id, path) };
};
