import { type ParseArgsConfig, parseArgs } from "node:util";
import { closest } from "../../src/lib/util/nearest.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

export type Command<O extends Options> = {
  name: string;
  help: string | ((args: readonly string[]) => string);
  options: O;
  arguments?: number;
  /** False sets exit code 1. */
  main(values: Values<O>, args: readonly string[]): unknown;
};

/** A usage error: nothing was done. The exit code is 2. */
export class UsageError extends Error {}

const HELP = { help: { type: "boolean", short: "h" } } as const satisfies Options;

/** Runs a command. Errors are printed without a stack; the exit code is 1 or 2. */
export const runCommand = async <const O extends Options>(command: Command<O>): Promise<void> => {
  try {
    const { isHelp, values, positionals } = parse(command, process.argv.slice(2));
    if (isHelp) console.log(typeof command.help === "string" ? command.help : command.help(positionals));
    else if ((await command.main(values, positionals)) === false) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? printable(error.message) : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
};

/** Parses a command line. Throws UsageError. */
export const parse = <const O extends Options>(
  { name, options, arguments: most = 0 }: Pick<Command<O>, "name" | "options" | "arguments">,
  args: readonly string[],
): { isHelp: boolean; values: Values<O>; positionals: readonly string[] } => {
  const all = { ...options, ...HELP };
  const hint = `npm run ${name} -- --help lists the options.`;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: all, allowPositionals: true });
    const { help: isHelp = false, ...given } = values as Record<string, unknown> & { help?: boolean };
    const unexpected = positionals[most];
    if (unexpected !== undefined && !isHelp) throw new UsageError(`Unexpected argument: ${unexpected}. ${hint}`);
    for (const option of ADDRESSES) checkAddress(option, given[option]);
    return { isHelp, values: given as Values<O>, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS_")) throw error;
    const [, unknown] = /^Unknown option '(-[^' ]*)'/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(`${valueFault(message)} ${hint}`);
    const like = closest(unknown.replace(/^-+/, ""), Object.keys(all));
    throw new UsageError(`Unknown option ${unknown}.${like === undefined ? "" : ` Did you mean --${like}?`} ${hint}`);
  }
};

const ADDRESSES = ["url", "email-url"];

const checkAddress = (option: string, text: unknown): void => {
  if (typeof text !== "string" || (/^https?:\/\//i.test(text) && URL.canParse(text))) return;
  throw new UsageError(`--${option} ${text}: expected an address that begins with http:// or https://.`);
};

const valueFault = (message: string): string => {
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  if (option === undefined) return `${(message.split("\n")[0] ?? "").replace(/\.$/, "")}.`;
  return `${option} has no value: one that begins with "-" is written after "=", such as ${option}=-5.`;
};

/** C0 except tab and line feed, delete, C1, line separators, and direction marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters as JSON does, so that a name cannot control the terminal. */
export const printable = (text: string): string =>
  text.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Escapes line feeds and tabs too. */
export const oneLine = (text: string): string => printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

export const onOneLine = <T>(value: T): T => {
  if (typeof value === "string") return oneLine(value) as T;
  if (Array.isArray(value)) return value.map(onOneLine) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [oneLine(key), onOneLine(one)])) as T;
};

/** Prints several lines. All output passes here, through `progress` or an error. */
export const print = (text: string): void => console.log(printable(text));

/** Parses a whole number. Throws UsageError with its limits. */
export const wholeNumber = (option: string, text: string, { min = 0, max = 999_999_999 } = {}): number => {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${option} ${text}: expected a whole number from ${min} to ${max}.`);
};

/** Formats `1 rule`, `2 rules`. */
export const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;

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
