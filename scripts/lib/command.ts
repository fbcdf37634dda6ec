import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { nearest } from "../../src/lib/util/nearest.ts";
import { columns, printable, UsageError } from "./cli.ts";

/** An option. Without `value` it is a switch. */
type OptionDefinition = { about: string; value?: string; default?: string; many?: true; short?: string };
type Options = Readonly<Record<string, OptionDefinition>>;
type Examples = readonly (readonly [line: string, what?: string])[];

/** A part of a command. Arguments are written as commander does: `<file>`, `[name]`, `[files...]`. */
type Part = { about: string; arguments?: readonly string[]; examples: Examples };

/** One command of package.json. An option that no subcommand lists is common to all. */
export type Definition<O extends Options = Options, Name extends string = string> = Part & {
  name: string;
  options: O;
  notes?: string;
  commands?: Readonly<Record<Name, Part & { options?: readonly (keyof O & string)[] }>>;
  /** The subcommand of a line without one. */
  usual?: NoInfer<Name>;
};

type Values<O extends Options> = {
  [K in keyof O as O[K] extends { value: string } ? never : K]: boolean;
} & { [K in keyof O as O[K] extends { default: string } ? K : never]: string } & {
  [K in keyof O as O[K] extends { value: string }
    ? O[K] extends { default: string } | { many: true }
      ? never
      : K
    : never]?: string;
} & { [K in keyof O as O[K] extends { many: true } ? K : never]?: string[] };

type LineOf<O extends Options, Name extends string> = { command: Name; args: readonly string[]; values: Values<O> };

/** A parsed command line of a definition. */
export type Line<D> = D extends Definition<infer O, infer Name> ? LineOf<O, Name> : never;

/** Types a definition by its option and subcommand names. */
export const define = <const O extends Options, const Name extends string = never>(
  definition: Definition<O, Name>,
): Definition<O, Name> => definition;

/** Runs a command. Errors are printed without a stack; the exit code is 1, or 2 for a usage error. */
export const runCommand = async <O extends Options, Name extends string>(
  definition: Definition<O, Name>,
  main: (line: LineOf<O, Name>) => unknown,
): Promise<void> => {
  try {
    if ((await main(parse(definition, process.argv.slice(2)))) === false) process.exitCode = 1;
  } catch (error) {
    if (error instanceof CommanderError) return;
    console.error(error instanceof Error ? printable(error.message) : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
};

/** Parses a command line. Throws UsageError, or CommanderError after printing the help. */
export const parse = <O extends Options, Name extends string>(
  definition: Definition<O, Name>,
  args: readonly string[],
): LineOf<O, Name> => {
  const { name, options } = definition;
  const lines: LineOf<O, Name>[] = [];
  const program = programOf(definition, (command, part) => {
    const given = part.optsWithGlobals<Record<string, unknown>>();
    const entries = Object.entries(options).map(([option, { value }]) => [
      option,
      given[option] ?? (value === undefined ? false : undefined),
    ]);
    const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Values<O>;
    lines.push({ command: command as Name, args: part.args, values });
  });
  try {
    refuseOptionAsValue(program, options, args);
    if (definition.commands) refuseUnknownCommand(program, definition, args);
    program.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const message = error.message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase());
    throw new UsageError(`${message}${hintOf(definition, error)}\nnpm run ${name} -- --help lists the options.`);
  }
  const [line] = lines;
  if (!line) throw new Error(`npm run ${name} has no such command.`);
  return line;
};

const hintOf = ({ commands = {} }: Definition, { code, message }: CommanderError): string => {
  if (code === "commander.excessArguments") return "\nPut a name with spaces in quotes.";
  const [, option = ""] = /^error: unknown option '--([^']+)'/.exec(message) ?? [];
  const owners = Object.keys(commands).filter((name) => commands[name]?.options?.includes(option));
  return owners.length === 0 ? "" : `\nIt is an option of ${owners.join(", ")}.`;
};

const programOf = (
  { name, options, commands, usual, notes, ...part }: Definition,
  found: (command: string, part: Command) => void,
): Command => {
  const program = new Command(`npm run ${name} --`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), outputError: () => {} })
    .configureHelp({ showGlobalOptions: true, helpWidth: 120 })
    .helpOption("-h, --help", "shows this text")
    .helpCommand(false);
  const fill = (target: Command, { about, arguments: words = [], examples }: Part, names: readonly string[]): void => {
    target.description(about);
    for (const word of words) target.argument(word);
    for (const option of names) target.addOption(optionOf(option, options[option] as OptionDefinition));
    const rows = examples.map(([line, what = ""]) => [`  npm run ${name}${line && ` -- ${line}`}`, what]);
    target.addHelpText("after", ["", "Examples:", columns(rows)].join("\n"));
    if (notes !== undefined) target.addHelpText("after", `\n${notes}`);
  };
  const owned = new Set(Object.values(commands ?? {}).flatMap((command) => command.options ?? []));
  const common = Object.keys(options).filter((option) => !owned.has(option));
  fill(program, part, common);
  for (const [command, sub] of Object.entries(commands ?? {})) {
    const target = program.command(command, { isDefault: command === usual });
    fill(target, sub, sub.options ?? []);
    target.action(() => found(command, target));
  }
  if (!commands) program.action(() => found("", program));
  return program;
};

/** An option under its written name. commander would read `--no-watch` as `watch`. */
class Named extends Option {
  override negate = false;
  override attributeName(): string {
    return this.name();
  }
}

const optionOf = (name: string, { about, value, default: usual, many, short }: OptionDefinition): Option => {
  const flags = `${short === undefined ? "" : `-${short}, `}--${name}`;
  const option = new Named(`${flags}${value === undefined ? "" : ` <${value}>`}`, about).default(usual);
  if (many) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  if (value === "url") option.argParser(addressOf);
  return option;
};

const addressOf = (text: string): string => {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError("Expected an address that begins with http:// or https://.");
};

/** `--out --dry-run` would write to a file of this name and run. */
const refuseOptionAsValue = (program: Command, options: Options, args: readonly string[]): void => {
  for (const [i, arg] of args.entries()) {
    const [name, next] = [arg.slice(2), args[i + 1] ?? ""];
    if (arg.startsWith("--") && Object.hasOwn(options, name) && options[name]?.value !== undefined && /^-./.test(next))
      program.error(
        `error: ${arg} has no value: one that begins with "-" is written after "=", such as ${arg}=${next}`,
      );
  }
};

const refuseUnknownCommand = (
  program: Command,
  { commands = {}, usual }: Definition,
  args: readonly string[],
): void => {
  const { operands, unknown } = program.parseOptions([...args]);
  const [name] = operands;
  if (unknown.some((arg) => arg === "--help" || arg === "-h")) return;
  if (name === undefined && usual === undefined)
    program.error(`error: no command is given. It is one of: ${Object.keys(commands).join(", ")}`);
  if (name !== undefined && !Object.hasOwn(commands, name))
    program.error(`error: unknown command '${name}'\n(Did you mean ${nearest(name, Object.keys(commands))}?)`);
};
