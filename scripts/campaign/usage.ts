import { UsageError } from "../lib/cli.ts";
import { define, type Line as LineOf } from "../lib/command.ts";

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

export const LACKING = ["notOpened", "notClicked"];

/** Throws UsageError. */
export const oneOf = (option: string, value: string | undefined, known: readonly string[]): string | undefined => {
  if (value === undefined || known.includes(value)) return value;
  throw new UsageError(`--${option} ${value}: expected one of ${known.join(", ")}.`);
};

export const CAMPAIGNS = define({
  name: "campaign",
  about: "Campaigns of a team. A campaign is named by its id or its name. docs/campaigns.md explains them.",
  examples: [
    ["list", "lists the campaigns with their status"],
    ["show spring", "how far it is, and what keeps it waiting"],
    ["estimate spring", "how many contacts would get it now, and who would not"],
    ["send spring", "shows what it would send, and sends it once you typed the number of recipients"],
  ],
  usual: "list",
  options: {
    status: { value: "name", about: "Draft, Scheduled, Sending or Sent" },
    exact: { about: "counts every contact; a large team is sampled otherwise" },
    "dry-run": { about: "changes nothing" },
    expected: { value: "n", about: "the number of recipients, in place of the question" },
    "max-recipients": {
      value: "n",
      about:
        "where more people match at its start, it is held (default: 10 % above the confirmed number; 1 % if sent now)",
    },
    watch: { about: "shows the progress, also where the output is no terminal" },
    "no-watch": { about: "does not show the progress" },
    yes: { about: "asks nothing" },
    state: {
      value: "name",
      about: "queued, sent, delivered, bounced, complained, failed, unknown, skipped or cancelled",
    },
    reason: { value: "code", about: "the reason of that state, such as unsubscribed" },
    group: { value: "name", about: "opened, notOpened, clicked or unsubscribed" },
    to: { value: "name", about: "notOpened or notClicked: those who got it, and did not" },
    limit: { value: "n", about: "most recipients that are printed, 50 by default" },
    out: { value: "file.csv", about: "writes all of them to a file" },
    json: { about: "prints the answer as JSON" },
    team: { value: "slug", about: "the team (default: that of EMAIL_API_KEY, else demo)" },
    url: { value: "url", about: "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)" },
  },
  commands: {
    list: {
      about: "lists the campaigns with their status",
      options: ["status", "json"],
      examples: [["list"], ["list --status Sending", "those that are being sent"]],
    },
    show: {
      about: "how far it is, and what keeps it waiting",
      arguments: ["<campaign>"],
      options: ["json"],
      examples: [["show spring"]],
    },
    estimate: {
      about: "how many contacts would get it now, and who would not",
      arguments: ["<campaign>"],
      options: ["exact", "json"],
      examples: [["estimate spring"], ["estimate spring --exact", "counts every contact, also of a large team"]],
    },
    send: {
      about: "shows what it would send, and sends it once you typed the number of recipients",
      arguments: ["<campaign>"],
      options: ["dry-run", "expected", "max-recipients", "watch", "no-watch", "json"],
      examples: [
        ["send spring"],
        ["send spring --dry-run", "only says what it would send, or what it lacks"],
        ["send spring --max-recipients 1500", "lets the audience of a scheduled campaign grow up to 1,500 people"],
        ["send spring --expected 1200", "for scripts: asks nothing, and is refused if the number is another one now"],
      ],
    },
    watch: {
      about: "shows its progress until it is done; Ctrl-C ends the watching only",
      arguments: ["<campaign>"],
      options: ["json"],
      examples: [["watch spring"], ["watch spring --json", "a line of JSON each second"]],
    },
    unschedule: {
      about: "makes a campaign a draft again that is scheduled, or is held and has sent nothing",
      arguments: ["<campaign>"],
      options: ["json"],
      examples: [["unschedule spring"]],
    },
    pause: {
      about: "sends no more mail until it is resumed",
      arguments: ["<campaign>"],
      options: ["json"],
      examples: [["pause spring"]],
    },
    resume: {
      about: "goes on, also where the email service held it back",
      arguments: ["<campaign>"],
      options: ["expected", "json"],
      examples: [
        ["resume spring"],
        [
          "resume spring --expected 1200",
          "for scripts: where it is held because it has more recipients than were confirmed",
        ],
      ],
    },
    cancel: {
      about: "ends it for good: who has no mail yet gets none",
      arguments: ["<campaign>"],
      options: ["yes", "json"],
      examples: [["cancel spring"], ["cancel spring --yes", "without a question"]],
    },
    duplicate: {
      about: "makes a draft with the same message and audience, of a campaign in any state",
      arguments: ["<campaign>"],
      options: ["to", "json"],
      examples: [["duplicate spring"], ["duplicate spring --to notOpened", "for those who got it and did not open it"]],
    },
    delete: {
      about: "deletes a draft with its message, after a question",
      arguments: ["<campaign>"],
      options: ["yes", "json"],
      examples: [["delete spring"], ["delete spring --yes", "without a question"]],
    },
    "retry-unknown": {
      about: "sends the mails again whose outcome is unknown; some may come twice",
      arguments: ["<campaign>"],
      options: ["yes", "json"],
      examples: [["retry-unknown spring"], ["retry-unknown spring --yes", "without a question"]],
    },
    results: {
      about: "delivered, bounced, opened, clicked, link by link",
      arguments: ["<campaign>"],
      options: ["json"],
      examples: [["results spring"]],
    },
    recipients: {
      about: "who got it, and what became of each mail",
      arguments: ["<campaign>"],
      options: ["state", "reason", "group", "limit", "out", "json"],
      examples: [
        ["recipients spring"],
        ["recipients spring --state skipped", "who did not get it, and why"],
        ["recipients spring --group clicked --out clicked.csv", "writes all of them to a file"],
        ["recipients spring --json", "a line of JSON for each of them"],
      ],
    },
    contact: {
      about: "why a contact got it, or why not",
      arguments: ["<campaign>", "<contact>"],
      options: ["json"],
      examples: [["contact spring ada@example.com"]],
    },
  },
  notes: `ADMIN_TOKEN, and for subject, sender and audience EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if the email service refuses or gives no answer, if nothing was confirmed, or if the watched campaign was
cancelled; 2 if the command line is wrong.`,
});

export type Line = LineOf<typeof CAMPAIGNS>;
export type CommandName = Line["command"];
export type Values = Line["values"];
