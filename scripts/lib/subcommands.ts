import { nearest } from "../../src/lib/util/nearest.ts";
import { columns, UsageError } from "./cli.ts";

/** An argument. `isName`: may have spaces. */
export type Word = { name: string; example: string; isName?: true; isOptional?: true };

/** A subcommand, such as `start` of `npm run workflow -- start`. */
export type Subcommand<Option extends string = string> = {
  words: readonly Word[];
  /** Any number of `name=value` arguments may follow. */
  pairs?: true;
  options: readonly Option[];
  examples: readonly (readonly [line: string, what: string])[];
  instead?: Readonly<Partial<Record<Option, string>>>;
};

/** A command with subcommands. An option that no subcommand lists is common. */
export type Program<Name extends string = string, Option extends string = string> = {
  name: string;
  about: string;
  commands: Readonly<Record<Name, Subcommand<Option>>>;
  options: Readonly<Record<Option, readonly [written: string, what: string]>>;
  notes: string;
};

const ownersOf = ({ commands }: Program, option: string): string[] =>
  Object.entries(commands).flatMap(([name, { options }]) => (options.includes(option) ? [name] : []));

export const helpOf = (program: Program, [name]: readonly string[]): string => {
  const { about, commands, options, notes } = program;
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  const shown = Object.keys(options).filter(
    (option) => !command || command.options.includes(option) || ownersOf(program, option).length === 0,
  );
  const lineOf = ([line, what]: readonly [string, string]) => [
    `  npm run ${program.name}${line && ` -- ${line}`}`,
    what,
  ];
  const optionRow = (option: string): string[] => {
    const [written, what] = program.options[option] ?? ["", ""];
    const owners = command ? [] : ownersOf(program, option);
    const isOfMost = owners.length > Object.keys(commands).length / 2;
    return [`  ${written}`, `${owners.length > 0 && !isOfMost ? `with ${owners.join(", ")}: ` : ""}${what}`];
  };
  const examples = command ? command.examples : Object.values(commands).flatMap((one) => one.examples.slice(0, 1));
  return [
    ...(command ? [] : [about, ""]),
    columns(examples.map(lineOf)),
    "",
    columns([["Options"], ...shown.map(optionRow), ["  --help", "this text; after a command, that of the command"]]),
    "",
    notes,
  ].join("\n");
};

/** Checks a command line. An ignored option such as `--dry-run` could do harm. Throws UsageError. */
export const checkUsage = <Name extends string>(
  program: Program<Name>,
  name: string,
  args: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Name => {
  const { commands } = program;
  if (!Object.hasOwn(commands, name)) {
    const like = nearest(name, Object.keys(commands));
    throw new UsageError(
      `Unknown command: ${name}. Did you mean ${like}? npm run ${program.name} -- --help lists the commands.`,
    );
  }
  const { words, options, pairs, instead }: Subcommand = commands[name as Name];
  const given = Object.keys(values).filter((option) => values[option] !== undefined && values[option] !== false);
  const other = given.find((option) => !options.includes(option) && ownersOf(program, option).length > 0);
  if (other !== undefined) {
    const hint = instead?.[other] ?? `It is an option of ${ownersOf(program, other).join(", ")}.`;
    throw new UsageError(`--${other} is no option of ${name}. ${hint}`);
  }
  const line = `npm run ${program.name} -- ${name}`;
  const missing = words.find(({ isOptional }, i) => !isOptional && args[i] === undefined);
  if (missing) {
    const rest = words.slice(args.length).filter(({ isOptional }) => !isOptional);
    throw new UsageError(`Which ${missing.name}? ${[line, ...args, ...rest.map(({ example }) => example)].join(" ")}`);
  }
  const unexpected = args.slice(words.length).find((arg) => !pairs || !arg.includes("="));
  if (unexpected !== undefined)
    throw new UsageError(`Unexpected argument: ${unexpected}. ${wordsHint(words, name, args, line)}`);
  return name as Name;
};

const wordsHint = (words: readonly Word[], name: string, args: readonly string[], line: string): string => {
  const [first, ...others] = words;
  if (!first) return `${name} takes no argument.`;
  if (!first.isName) return `${name} takes one ${first.name}.`;
  const after = others.filter(({ isOptional }) => !isOptional).length;
  const parts = args.filter((arg) => !arg.includes("="));
  const last = after > 0 ? parts.slice(-after) : [];
  return `Put a name with spaces in quotes: ${[line, `"${parts.slice(0, parts.length - after).join(" ")}"`, ...last].join(" ")}`;
};

/** Encodes a contact as a path step. URLs resolve `.` and `..`, even escaped. */
export const contactStep = (contact: string): string => {
  if (!/^\.{0,2}$/.test(contact)) return encodeURIComponent(contact);
  throw new UsageError(`"${contact}" names no contact: give its email address, its userId or its id.`);
};
