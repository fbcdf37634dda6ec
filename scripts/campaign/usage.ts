import { UsageError } from "../lib/cli.ts";
import type { Program, Subcommand, Word } from "../lib/subcommands.ts";

export const OPTIONS = {
  status: { type: "string" },
  exact: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  expected: { type: "string" },
  watch: { type: "boolean", default: false },
  "no-watch": { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  state: { type: "string" },
  reason: { type: "string" },
  group: { type: "string" },
  limit: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean", default: false },
  team: { type: "string" },
  url: { type: "string" },
} as const;

export type Values = {
  status?: string;
  exact: boolean;
  "dry-run": boolean;
  expected?: string;
  watch: boolean;
  "no-watch": boolean;
  yes: boolean;
  state?: string;
  reason?: string;
  group?: string;
  limit?: string;
  out?: string;
  json: boolean;
};

export const STATUSES = ["Draft", "Scheduled", "Sending", "Sent"];
export const STATES = [
  "queued",
  "sent",
  "delivered",
  "bounced",
  "complained",
  "failed",
  "unknown",
  "skipped",
  "cancelled",
];
export const GROUPS = ["opened", "notOpened", "clicked", "unsubscribed"];

/** Throws UsageError. */
export const oneOf = (option: string, value: string | undefined, known: readonly string[]): string | undefined => {
  if (value === undefined || known.includes(value)) return value;
  throw new UsageError(`--${option} ${value}: expected one of ${known.join(", ")}.`);
};

const CAMPAIGN: Word = { name: "campaign", example: "<id or name>", isName: true };
const CONTACT: Word = { name: "contact", example: "ada@example.com" };

const COMMANDS = {
  list: {
    words: [],
    options: ["status", "json"],
    examples: [
      ["", "lists the campaigns with their status"],
      ["list --status Sending", "those that are being sent"],
    ],
  },
  show: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [["show spring", "how far it is, and what keeps it waiting"]],
  },
  estimate: {
    words: [CAMPAIGN],
    options: ["exact", "json"],
    examples: [
      ["estimate spring", "how many contacts would get it now, and who would not"],
      ["estimate spring --exact", "counts every contact, also of a large team"],
    ],
  },
  launch: {
    words: [CAMPAIGN],
    options: ["dry-run", "expected", "watch", "no-watch", "json"],
    examples: [
      ["launch spring", "shows what it would send, and sends it once you typed the number of recipients"],
      ["launch spring --dry-run", "only says what it would send, or what it lacks"],
      ["launch spring --expected 1200", "for scripts: asks nothing, and is refused if the number is another one now"],
    ],
  },
  watch: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [
      ["watch spring", "shows its progress until it is done; Ctrl-C ends the watching only"],
      ["watch spring --json", "a line of JSON each second"],
    ],
  },
  unschedule: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [
      ["unschedule spring", "makes a campaign a draft again that is scheduled, or is held and has sent nothing"],
    ],
  },
  pause: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [["pause spring", "sends no more mail until it is resumed"]],
  },
  resume: {
    words: [CAMPAIGN],
    options: ["expected", "json"],
    examples: [
      ["resume spring", "goes on, also where the email service held it back"],
      [
        "resume spring --expected 1200",
        "for scripts: where it is held because it has more recipients than were confirmed",
      ],
    ],
  },
  cancel: {
    words: [CAMPAIGN],
    options: ["yes", "json"],
    examples: [
      ["cancel spring", "ends it for good: who has no mail yet gets none"],
      ["cancel spring --yes", "without a question"],
    ],
  },
  duplicate: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [["duplicate spring", "makes a draft with the same message and audience, of a campaign in any state"]],
  },
  delete: {
    words: [CAMPAIGN],
    options: ["yes", "json"],
    examples: [
      ["delete spring", "deletes a draft with its message, after a question"],
      ["delete spring --yes", "without a question"],
    ],
  },
  "retry-unknown": {
    words: [CAMPAIGN],
    options: ["yes", "json"],
    examples: [
      ["retry-unknown spring", "sends the mails again whose outcome is unknown; some may come twice"],
      ["retry-unknown spring --yes", "without a question"],
    ],
  },
  results: {
    words: [CAMPAIGN],
    options: ["json"],
    examples: [["results spring", "delivered, bounced, opened, clicked, link by link"]],
  },
  recipients: {
    words: [CAMPAIGN],
    options: ["state", "reason", "group", "limit", "out", "json"],
    examples: [
      ["recipients spring", "who got it, and what became of each mail"],
      ["recipients spring --state skipped", "who did not get it, and why"],
      ["recipients spring --group clicked --out clicked.csv", "writes all of them to a file"],
      ["recipients spring --json", "a line of JSON for each of them"],
    ],
  },
  contact: {
    words: [CAMPAIGN, CONTACT],
    options: ["json"],
    examples: [["contact spring ada@example.com", "why a contact got it, or why not"]],
  },
} as const satisfies Readonly<Record<string, Subcommand<keyof typeof OPTIONS>>>;

export type CommandName = keyof typeof COMMANDS;

export const CAMPAIGNS: Program<CommandName, keyof typeof OPTIONS> = {
  name: "campaign",
  about: "Campaigns of a team. A campaign is named by its id or its name. docs/campaigns.md explains them.",
  commands: COMMANDS,
  options: {
    status: ["--status name", "Draft, Scheduled, Sending or Sent"],
    exact: ["--exact", "counts every contact; a large team is sampled otherwise"],
    "dry-run": ["--dry-run", "changes nothing"],
    expected: ["--expected n", "the number of recipients, in place of the question"],
    watch: ["--watch", "shows the progress, also where the output is no terminal"],
    "no-watch": ["--no-watch", "does not show the progress"],
    yes: ["--yes", "asks nothing"],
    state: ["--state name", "queued, sent, delivered, bounced, complained, failed, unknown, skipped or cancelled"],
    reason: ["--reason code", "the reason of that state, such as unsubscribed"],
    group: ["--group name", "opened, notOpened, clicked or unsubscribed"],
    limit: ["--limit n", "most recipients that are printed, 50 by default"],
    out: ["--out file.csv", "writes all of them to a file"],
    json: ["--json", "prints the answer as JSON"],
    team: ["--team slug", "the team (default: that of EMAIL_API_KEY, else demo)"],
    url: ["--url url", "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)"],
  },
  notes: `ADMIN_TOKEN, and for subject, sender and audience EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if the email service refuses or gives no answer, if nothing was confirmed, or if the watched campaign was
cancelled; 2 if the command line is wrong.`,
};
