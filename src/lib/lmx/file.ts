import { nearest } from "../util/nearest.ts";
import { error, excerpt, type Position, type Problem, warning } from "./problem.ts";

const FIELDS = {
  id: /^[\w-]{1,100}$/,
  name: /./,
  subject: /./,
  previewText: /./,
  fromName: /./,
  fromEmail: /./,
  replyToEmail: /./,
  ccEmail: /./,
  bccEmail: /./,
  languageCode: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/,
  emailFormat: /^(styled|plain)$/,
  theme: /^[\w-]{1,100}$/,
} as const;

type Field = keyof typeof FIELDS;

const EXPECTED: { readonly [One in Field]?: string } = {
  id: "letters, digits, _ and -",
  languageCode: "a language tag such as en or pt-BR",
  emailFormat: "styled or plain",
  theme: "the name of a theme file without its ending: letters, digits, _ and -",
};

/**
 * A message file. `values` are for previews, `fallbacks` for missing values, by full name: `data.amount`. `places`
 * are positions by key; `lmx` is the LMX start.
 */
export type LmxFile = {
  fields: { readonly [One in Field]?: string };
  values: Readonly<Record<string, string>>;
  fallbacks: Readonly<Record<string, string>>;
  lmx: string;
  positions: Readonly<Record<string, Position>>;
};

const FENCE = /^---[ \t]*$/;
const VARIABLE = /^(?:fallback\.)?(?:data|contact|event)\.[A-Za-z_][\w-]{0,99}$/;
const EXAMPLES = ["data.name", "contact.firstName", "event.plan", "fallback.data.name"];

/**
 * Reads a file: optional front matter between `---` lines, then LMX. Never throws.
 *
 * Blank lines and `#` lines are ignored. LMX and variables are not checked. Codes: `unclosed_front_matter`,
 * `bad_line`, `unknown_key`, `duplicate_key`, `bad_value`, and the warning `quoted_value`.
 */
export const readFile = (text: string): { file: LmxFile; problems: Problem[] } => {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const rest = (from: number) => ({ lmx: lines.slice(from).join("\n"), start: { line: from + 1, column: 1 } });
  if (!FENCE.test(lines[first] ?? "")) return { file: fileOf(new Map(), rest(0)), problems: [] };
  const last = lines.findIndex((line, index) => index > first && FENCE.test(line));
  if (last === -1) {
    const message = "The front matter has no end: add a line --- after it";
    const problems = [error({ line: first + 1, column: 1 }, "unclosed_front_matter", message)];
    return { file: fileOf(new Map(), rest(lines.length)), problems };
  }
  const entries = new Map<string, Entry>();
  const problems = lines.slice(first + 1, last).flatMap((line, index) => readLine(line, first + 2 + index, entries));
  return { file: fileOf(entries, rest(last + 1)), problems };
};

type Entry = { value: string; at: Position };

const readLine = (written: string, line: number, entries: Map<string, Entry>): Problem[] => {
  const start = written.length - written.trimStart().length;
  if (written.trim() === "" || written[start] === "#") return [];
  const at = { line, column: start + 1 };
  const colon = written.indexOf(":");
  if (colon === -1)
    return [error(at, "bad_line", `"${excerpt(written.trim())}" is no key with a value: write key: value`)];
  const key = written.slice(start, colon).trimEnd();
  const rest = written.slice(colon + 1);
  const value = rest.trim().replaceAll("\t", " ");
  const position = { line, column: colon + 2 + rest.length - rest.trimStart().length };
  const fault = keyFault(key);
  if (fault !== undefined) return [error(at, "unknown_key", fault)];
  if (entries.has(key)) return [error(at, "duplicate_key", `${key} stands here a second time: remove one of them`)];
  entries.set(key, { value, at: position });
  if (isField(key) && value !== "" && !FIELDS[key].test(value)) {
    return [error(position, "bad_value", `${key} is ${excerpt(value)}: give ${EXPECTED[key]}`)];
  }
  if (!/^(["']).*\1$/.test(value) || value.length < 2) return [];
  return [
    warning(position, "quoted_value", "The quotes are a part of the value: remove them if they should not be shown"),
  ];
};

const isField = (key: string): key is Field => Object.hasOwn(FIELDS, key);

const keyFault = (key: string): string | undefined => {
  if (isField(key) || VARIABLE.test(key)) return undefined;
  const said = `There is no key "${excerpt(key)}"`;
  const [namespace = "", ...name] = key.split(".");
  if (name.length > 0) {
    const meant = nearest(namespace, ["data", "contact", "event", "fallback"]) ?? "data";
    return `${said}: variables are named such as ${EXAMPLES.find((example) => example.startsWith(meant))}`;
  }
  const meant = nearest(key, Object.keys(FIELDS));
  if (meant !== undefined) return `${said}: did you mean ${meant}?`;
  return `${said}: the keys are ${Object.keys(FIELDS).join(", ")}, and variables such as ${EXAMPLES.join(", ")}`;
};

const fileOf = (entries: ReadonlyMap<string, Entry>, body: { lmx: string; start: Position }): LmxFile => {
  const all = [...entries];
  const under = (prefix: RegExp) =>
    all.flatMap(([key, { value }]) => (prefix.test(key) ? [[key.replace(/^fallback\./, ""), value] as const] : []));
  return {
    fields: Object.fromEntries(all.flatMap(([key, { value }]) => (isField(key) && value !== "" ? [[key, value]] : []))),
    values: Object.fromEntries(under(/^(data|contact|event)\./)),
    fallbacks: Object.fromEntries(under(/^fallback\./)),
    lmx: body.lmx,
    positions: { ...Object.fromEntries(all.map(([key, { at }]) => [key, at])), lmx: body.start },
  };
};

/** Moves a problem to its position in the file. */
export const inFile = <One extends Problem>(problem: One, { positions }: LmxFile, key = "lmx"): One => {
  const start = positions[key] ?? { line: 1, column: 1 };
  const column = problem.line === 1 ? start.column + problem.column - 1 : problem.column;
  return { ...problem, message: messageInFile(problem, start.line - 1), line: start.line + problem.line - 1, column };
};

/** Component messages keep component lines. */
const messageInFile = ({ code, message, component }: Problem, before: number): string =>
  code === "mismatched_tag" && component === undefined
    ? message.replace(/(?<= of line )\d+/, (line) => String(Number(line) + before))
    : message;
