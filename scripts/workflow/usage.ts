import { nearest } from "../../src/lib/util/nearest.ts";

/** The options of `npm run workflow`. */
export const OPTIONS = {
  team: { type: "string" },
  url: { type: "string" },
  json: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  watch: { type: "boolean", default: false },
  contact: { type: "string" },
  property: { type: "string", multiple: true },
  event: { type: "string" },
  assume: { type: "string", multiple: true },
  days: { type: "string" },
  at: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  discard: { type: "boolean", default: false },
  "pause-and-resume": { type: "boolean", default: false },
  workflow: { type: "string" },
} as const;

export type Values = {
  json: boolean;
  "dry-run": boolean;
  watch: boolean;
  contact?: string;
  property?: string[];
  event?: string;
  assume?: string[];
  days?: string;
  at?: string;
  from?: string;
  to?: string;
  discard: boolean;
  "pause-and-resume": boolean;
  workflow?: string;
};

type Option = keyof typeof OPTIONS;
/** `words`: the arguments that a command takes. `pairs`: any number of `name=value` may follow. */
type Usage = { words: readonly ("workflow" | "contact" | "file")[]; pairs?: true; options: readonly Option[] };

const USAGES = {
  list: { words: [], options: ["json"] },
  start: { words: ["workflow"], options: ["dry-run", "json"] },
  resume: { words: ["workflow"], options: ["dry-run", "json"] },
  pause: { words: ["workflow"], options: ["json"] },
  stop: { words: ["workflow"], options: ["json"] },
  status: { words: ["workflow"], options: ["watch", "json"] },
  explain: { words: ["workflow", "contact"], options: ["json"] },
  remove: { words: ["workflow", "contact"], options: ["json"] },
  simulate: {
    ...{ words: ["workflow"], pairs: true },
    options: ["contact", "property", "event", "assume", "days", "at", "json"],
  },
  "dry-run": { words: ["workflow"], options: ["days", "json"] },
  diff: { words: ["workflow"], options: ["from", "to", "json"] },
  export: { words: ["workflow", "file"], options: ["json"] },
  plan: { words: ["file"], options: ["workflow", "json"] },
  apply: { words: ["file"], options: ["workflow", "discard", "pause-and-resume"] },
} as const satisfies Readonly<Record<string, Usage>>;

export type CommandName = keyof typeof USAGES;

/** Options of every command. */
const COMMON: readonly string[] = ["team", "url"];

/**
 * Checks the name of a command and what is given with it. An option that the command would ignore could be the one that should
 * have prevented it, such as `--dry-run`.
 *
 * @throws with what the command does not take
 */
export const checkUsage = (name: string, args: readonly string[], values: Values): CommandName => {
  if (!Object.hasOwn(USAGES, name)) {
    const like = nearest(name, Object.keys(USAGES));
    throw new Error(`Unknown command: ${name}. Did you mean ${like}? npm run workflow -- --help lists the commands.`);
  }
  const command = name as CommandName;
  const { words, options, pairs }: Usage = USAGES[command];
  const given = Object.entries(values).flatMap(([option, value]) =>
    value === undefined || value === false ? [] : [option as Option],
  );
  const other = given.find((option) => !options.includes(option) && !COMMON.includes(option));
  if (other !== undefined) throw new Error(`--${other} is no option of ${name}. ${hintOf(other, command)}`);
  const unexpected = args.slice(words.length).find((arg) => !pairs || !arg.includes("="));
  if (unexpected !== undefined) throw new Error(`Unexpected argument: ${unexpected}. ${wordsHint(command, args)}`);
  return command;
};

const hintOf = (option: Option, command: CommandName): string => {
  if (option === "dry-run" && command === "apply")
    return "npm run workflow -- plan shows what apply would change, and changes nothing.";
  const owners = Object.entries(USAGES).flatMap(([name, { options }]) =>
    (options as readonly Option[]).includes(option) ? [name] : [],
  );
  return `It is an option of ${owners.join(", ")}.`;
};

const wordsHint = (command: CommandName, args: readonly string[]): string => {
  const { words }: Usage = USAGES[command];
  if (words.length === 0) return `${command} takes no argument.`;
  if (words[0] === "file") return `${command} takes one file.`;
  const last = words.includes("contact") ? args.slice(-1) : [];
  const name = args.slice(0, args.length - last.length).filter((arg) => !arg.includes("="));
  const line = [command, `"${name.join(" ")}"`, ...last].join(" ");
  return `Put a name with spaces in quotes: npm run workflow -- ${line}`;
};
