import type { Program, Subcommand, Word } from "../lib/subcommands.ts";

/** Options of `npm run workflow`. */
export const OPTIONS = {
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
  json: { type: "boolean", default: false },
  team: { type: "string" },
  url: { type: "string" },
} as const;

export type Values = {
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
  json: boolean;
};

const WORKFLOW: Word = { name: "workflow", example: "<id or name>", isName: true };
const CONTACT: Word = { name: "contact", example: "ada@example.com" };
const FILE: Word = { name: "file", example: "trial.yaml" };

const COMMANDS = {
  list: { words: [], options: ["json"], examples: [["", "lists the workflows with their status"]] },
  start: {
    words: [WORKFLOW],
    options: ["dry-run", "json"],
    examples: [
      ["start trial", "starts it, or says everything that it lacks"],
      ["start trial --dry-run", "only says it"],
    ],
  },
  pause: {
    words: [WORKFLOW],
    options: ["json"],
    examples: [["pause trial", "contacts stay where they are, new ones are queued for 24 hours"]],
  },
  resume: { words: [WORKFLOW], options: ["dry-run", "json"], examples: [["resume trial", "goes on"]] },
  stop: {
    words: [WORKFLOW],
    options: ["json"],
    examples: [["stop trial", "pauses it without queueing new contacts"]],
  },
  status: {
    words: [WORKFLOW],
    options: ["watch", "json"],
    examples: [
      ["status trial", "where contacts wait, and what was sent"],
      ["status trial --watch", "shows it every 2 seconds"],
    ],
  },
  here: {
    words: [WORKFLOW],
    options: ["json"],
    examples: [["here trial", "who waits at each step, since and until when"]],
  },
  explain: {
    words: [WORKFLOW, CONTACT],
    options: ["json"],
    examples: [["explain trial ada@example.com", "what happened to a contact, or why it did not enter"]],
  },
  remove: {
    words: [WORKFLOW, CONTACT],
    options: ["json"],
    examples: [["remove trial ada@example.com", "takes a contact out"]],
  },
  simulate: {
    words: [WORKFLOW],
    pairs: true,
    options: ["contact", "property", "event", "assume", "days", "at", "json"],
    examples: [
      ["simulate trial --contact ada@example.com --days 60", "plays the coming days for a contact"],
      ["simulate trial --property plan=pro --event trialStarted plan=pro", "for an invented one, with its event"],
      ["simulate trial --property plan=pro --assume 3:plan=team", "its plan changes after 3 days"],
    ],
  },
  "dry-run": {
    words: [WORKFLOW],
    options: ["days", "json"],
    examples: [["dry-run trial --days 7", "what it would have done with the events of the last days"]],
  },
  diff: {
    words: [WORKFLOW],
    options: ["from", "to", "json"],
    examples: [["diff trial", "what changed since it last ran, and what that does to waiting contacts"]],
  },
  export: {
    words: [WORKFLOW, { ...FILE, isOptional: true }],
    options: ["json"],
    examples: [
      ["export trial trial.yaml", "writes it as a file (JSON for a name that ends in .json)"],
      ["export trial", "prints it"],
    ],
  },
  plan: { words: [FILE], options: ["workflow", "json"], examples: [["plan trial.yaml", "what apply would change"]] },
  apply: {
    words: [FILE],
    options: ["workflow", "discard", "pause-and-resume"],
    instead: { "dry-run": "npm run workflow -- plan shows what apply would change, and changes nothing." },
    examples: [["apply trial.yaml", "creates or changes the workflow as the file says"]],
  },
} as const satisfies Readonly<Record<string, Subcommand<keyof typeof OPTIONS>>>;

export type CommandName = keyof typeof COMMANDS;

export const WORKFLOWS: Program<CommandName, keyof typeof OPTIONS> = {
  name: "workflow",
  about: "Workflows of a team. A workflow is named by its id or its name. docs/workflows.md explains them.",
  commands: COMMANDS,
  options: {
    "dry-run": ["--dry-run", "only says what the workflow lacks"],
    watch: ["--watch", "shows it every 2 seconds"],
    contact: ["--contact who", "a contact that exists: its address, userId or id"],
    property: ["--property name=value", "a property of the contact; repeatable"],
    event: ["--event name", "the event that starts it; its properties follow as name=value"],
    assume: ["--assume days:name=value", "a property that changes after this many days; repeatable"],
    days: ["--days n", "how many days"],
    at: ["--at time", "the time of the entry, ISO 8601"],
    from: ["--from rev", "the older revision"],
    to: ["--to rev", "the newer revision"],
    discard: ["--discard", "contacts who wait at a step that is deleted leave the workflow"],
    "pause-and-resume": ["--pause-and-resume", "pauses a workflow that is sending for the time of the change"],
    workflow: ["--workflow id", "the workflow to change, where its name is another than in the file"],
    json: ["--json", "prints the answer as JSON"],
    team: ["--team slug", "the team (default: that of EMAIL_API_KEY, else demo)"],
    url: ["--url url", "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)"],
  },
  notes: `ADMIN_TOKEN, and for files EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if a workflow cannot start, or the service refuses or gives no answer; 2 if the command line is wrong.`,
};
