import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { nearest } from "../../src/lib/util/nearest.ts";
import { columns, meant, printable, UsageError } from "./cli.ts";

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
    program.parse(ordered(program, definition, args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const message = error.message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase());
    const hint = error.code === "commander.excessArguments" ? "\nPut a name with spaces in quotes." : "";
    throw new UsageError(`${message}${hint}\nnpm run ${name} -- --help lists the options.`);
  }
  const [line] = lines;
  if (!line) throw new Error(`npm run ${name} has no such command.`);
  return line;
};

const programOf = (
  { name, options, commands, usual, notes, ...part }: Definition,
  found: (command: string, part: Command) => void,
): Command => {
  const program = new Command(`npm run ${name} --`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => console.log(text.trimEnd()), outputError: () => {} })
    .configureHelp({ showGlobalOptions: true, helpWidth: 120 })
    .showSuggestionAfterError(false)
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

type Given = { written: string; option: string | undefined };

/** Finds the index of the first operand, and all options. `option`: its long name, if there is one. */
const scan = (program: Command, options: Options, args: readonly string[]): { first?: number; given: Given[] } => {
  const names = Object.keys(options).map((name) => [`--${name}`, name]);
  const shorts = Object.entries(options).map(([name, { short }]) => [`-${short}`, name]);
  const known = Object.fromEntries([...names, ...shorts, ["--help", "help"], ["-h", "help"]]);
  const found: { first?: number; given: Given[] } = { given: [] };
  for (let i = 0; i < args.length; i++) {
    const [arg = "", next = ""] = args.slice(i);
    if (arg === "--") return { first: i + 1, ...found };
    if (!/^-./.test(arg)) {
      found.first ??= i;
      continue;
    }
    const [written = "", value] = arg.split("=");
    const option: string | undefined = known[written.startsWith("--") ? written : written.slice(0, 2)];
    const takesValue = option !== undefined && options[option]?.value !== undefined;
    if (takesValue && value === undefined && /^-./.test(next))
      program.error(
        `error: ${arg} has no value: one that begins with "-" is written after "=", such as ${arg}=${next}`,
      );
    if (option !== undefined && !takesValue && value !== undefined)
      program.error(`error: option '${written}' takes no value`);
    if (takesValue && value === undefined) i += 1;
    found.given.push({ written, option });
  }
  return found;
};

/** Puts the subcommand first, so that options may stand before it. Refuses unknown options and subcommands. */
const ordered = (program: Command, definition: Definition, args: readonly string[]): readonly string[] => {
  const { options, commands = {}, usual } = definition;
  const names = Object.keys(commands);
  const { first, given } = scan(program, options, args);
  const written = names.length === 0 || first === undefined ? undefined : args[first];
  const isKnown = written !== undefined && names.includes(written);
  if (given.some(({ option }) => option === "help")) return isKnown ? [written, "--help"] : ["--help"];
  if (written !== undefined && !isKnown) program.error(`error: unknown command '${written}'\n${meant(written, names)}`);
  const command = written ?? usual;
  for (const { written, option } of given) {
    const like = option ?? nearest(written.replace(/^-+/, ""), [...Object.keys(options), "help"]);
    const owners = names.filter((name) => like !== undefined && commands[name]?.options?.includes(like));
    const isHere = command === undefined || owners.length === 0 || owners.includes(command);
    if (option !== undefined && isHere) continue;
    const hint = option === undefined && like !== undefined ? `\nDid you mean --${like}?` : "";
    program.error(
      `error: unknown option '${written}'${hint}${isHere ? "" : `\nIt is an option of ${owners.join(", ")}.`}`,
    );
  }
  if (command === undefined && names.length > 0)
    program.error(`error: no command is given. It is one of: ${names.join(", ")}`);
  return first === undefined || !isKnown ? args : [written, ...args.toSpliced(first, 1)];
};
