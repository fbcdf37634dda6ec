import { nearest } from "../../src/lib/util/nearest.ts";

/** A usage error: nothing was done. The exit code is 2. */
export class UsageError extends Error {}

/** C0 except tab and line feed, delete, C1, line separators, and direction marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters as JSON does, so that a name cannot control the terminal. */
export const printable = (text: string): string =>
  text.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Escapes line feeds and tabs too. */
const oneLine = (text: string): string => printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

export const onOneLine = <T>(value: T): T => {
  if (typeof value === "string") return oneLine(value) as T;
  if (Array.isArray(value)) return value.map(onOneLine) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [oneLine(key), onOneLine(one)])) as T;
};

/** Prints several lines. All output passes here, through `progress` or an error. */
export const print = (text: string): void => console.log(printable(text));

/** Says which name is meant: the nearest one, otherwise all. `before`: stands before each. */
export const meant = (name: string, names: readonly string[], before = ""): string => {
  const like = nearest(name, names);
  if (like !== undefined) return `Did you mean ${before}${like}?`;
  return `It is one of: ${names.map((other) => before + other).join(", ")}.`;
};

/** Returns an entry by its name. Throws UsageError with the names that are meant. */
export const entryOf = <Entry>(kind: string, entries: Readonly<Record<string, Entry>>, name: string): Entry => {
  if (Object.hasOwn(entries, name)) return entries[name] as Entry;
  throw new UsageError(`There is no ${kind} "${name}". ${meant(name, Object.keys(entries))}`);
};

/** Parses a whole number. Throws UsageError with its limits. */
export const wholeNumber = (option: string, text: string, { min = 0, max = 999_999_999 } = {}): number => {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${option} ${text}: expected a whole number from ${min} to ${max}.`);
};

/** Parses the seed of a fuzz test, 32 bits. Empty: a new one. */
export const seedOf = (text: string | undefined): string =>
  text === undefined ? "" : String(wholeNumber("seed", text, { min: -(2 ** 31), max: 2 ** 31 - 1 }));

/** Formats `1 rule`, `2 deliveries`. */
export const count = (many: number, what: string): string =>
  `${many} ${many === 1 ? what : what.replace(/(?<![aeou])y$|$/, (end) => (end ? "ies" : "s"))}`;

/** Aligns columns. A one-cell row is a title without effect on widths. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows.filter(({ length }) => length > 1)) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
  return rows.map((row) => (row.length > 1 ? line(row) : (row[0] ?? "")).trimEnd()).join("\n");
};

export const table = (heads: readonly string[], given: readonly (readonly string[])[]): string => {
  const rows = given.map((row) => row.map(oneLine));
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  return columns([heads, widths.map((width) => "─".repeat(width)), ...rows]);
};

/** Shows a replaceable line, only on a terminal. */
export const progress = (text: string): void => {
  const { isTTY, columns: width } = process.stdout;
  if (isTTY) process.stdout.write(`\r\u001b[K${oneLine(text).slice(0, Math.max(20, (width || 80) - 1))}`);
};
