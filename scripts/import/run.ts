import { columns } from "../lib/cli.ts";

/** The options of the command. */
export const OPTIONS = {
  map: { type: "string", multiple: true },
  create: { type: "string", multiple: true },
  list: { type: "string", multiple: true },
  start: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "only-new": { type: "boolean" },
  "trigger-workflows": { type: "boolean" },
  encoding: { type: "string" },
  delimiter: { type: "string" },
  outcome: { type: "string" },
  team: { type: "string" },
  url: { type: "string" },
} as const;

type Values = {
  map?: string[] | undefined;
  create?: string[] | undefined;
  list?: string[] | undefined;
  start?: boolean | undefined;
  "dry-run"?: boolean | undefined;
  "only-new"?: boolean | undefined;
  "trigger-workflows"?: boolean | undefined;
  encoding?: string | undefined;
  delimiter?: string | undefined;
  outcome?: string | undefined;
};

type Mapping = Record<string, string | null>;

/** An import as the service shows it. */
export type Shown = Record<"rows" | "processed" | "created" | "updated" | "unchanged" | "refused", number> & {
  id: string;
  state: string;
  columns: string[];
  preview: string[][];
  mapping: Mapping;
};

/** What the command needs. Each function throws with the message of a refusal. */
export type Io = {
  /** Uploads the file. */
  upload(path: string, query: string): Promise<Shown>;
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Shown>;
  /** Saves the outcome file of an import. */
  saveOutcome(id: string, path: string): Promise<void>;
  print(text: string): void;
  /** A line that the next one replaces. */
  progress(text: string): void;
  sleep(ms: number): Promise<void>;
};

/** `a=b` as a pair, at its last equals sign: the name of a column may have others. */
const pair = (option: string, text: string): [string, string] => {
  const at = text.lastIndexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new Error(`--${option} ${text}: expected two names with = between them.`);
};

const mappingOf = ({ mapping }: Shown, given: readonly string[]): Mapping => {
  const named = given.map((text) => pair("map", text)).map(([column, to]) => [column, to === "-" ? null : to] as const);
  // A column that is named takes its field from the guess of another one.
  const taken = new Set(named.map(([, to]) => to));
  const guessed = Object.entries(mapping).map(([column, to]) => [column, taken.has(to) ? null : to] as const);
  return Object.fromEntries([...guessed, ...named]);
};

const look = ({ columns: names, preview, rows }: Shown, mapping: Mapping): string => {
  const sample = (index: number) => preview.map((row) => row[index] ?? "").find((cell) => cell !== "") ?? "";
  const lines = names.map((name, index) => [name, mapping[name] ?? "(ignored)", sample(index).slice(0, 40)]);
  return `${rows} rows\n\n${columns([["column", "becomes", "first value"], ...lines])}`;
};

const countsOf = ({ created, updated, unchanged, refused }: Shown): string =>
  `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`;

/** Uploads a file, shows what its columns become, and imports or checks it. False where rows were refused. */
export const run = async (args: readonly string[], values: Values, io: Io): Promise<boolean> => {
  const [path] = args;
  if (path === undefined) throw new Error("Name the CSV file: npm run import -- people.csv. --help lists the options.");
  const name = path.split(/[\\/]/).at(-1) ?? path;
  const { encoding, delimiter } = values;
  const query = new URLSearchParams({ name, ...(encoding ? { encoding } : {}), ...(delimiter ? { delimiter } : {}) });
  const uploaded = await io.upload(path, `?${query}`);
  const mapping = mappingOf(uploaded, values.map ?? []);
  io.print(look(uploaded, mapping));
  const isDry = values["dry-run"] === true;
  if (!isDry && values.start !== true) {
    await io.ask("POST", `/${uploaded.id}/cancel`);
    io.print("\nNothing was imported. --dry-run checks every row, --start imports them.");
    return true;
  }
  const done = await follow(uploaded, mapping, values, io);
  const outcome = values.outcome ?? `${path.replace(/\.[^.\\/]*$/, "")}.outcome.csv`;
  await io.saveOutcome(uploaded.id, outcome);
  if (isDry) await io.ask("POST", `/${uploaded.id}/cancel`);
  io.print(`\n${isDry ? "Dry run: " : ""}${countsOf(done)}. Every row: ${outcome}`);
  return done.refused === 0 && done.state !== "cancelled";
};

/** Starts the import, and shows how far it is until it has ended. */
const follow = async ({ id, rows }: Shown, mapping: Mapping, values: Values, io: Io): Promise<Shown> => {
  const settings = {
    ...{ mapping, createProperties: Object.fromEntries((values.create ?? []).map((text) => pair("create", text))) },
    ...{ mailingLists: values.list ?? [], dryRun: values["dry-run"] === true },
    ...{ updateExisting: values["only-new"] !== true, triggerWorkflows: values["trigger-workflows"] === true },
  };
  try {
    await io.ask("POST", `/${id}/start`, settings);
  } catch (error) {
    await io.ask("POST", `/${id}/cancel`);
    throw error;
  }
  for (;;) {
    const now = await io.ask("GET", `/${id}`);
    io.progress(`${now.processed} of ${rows} rows: ${countsOf(now)}`);
    if (now.state !== "running") return now;
    await io.sleep(500);
  }
};
