import { define, type Line as LineOf } from "../lib/command.ts";

export const WORKFLOWS = define({
  name: "workflow",
  about: "Workflows of a team. A workflow is named by its id or its name. docs/workflows.md explains them.",
  examples: [
    ["list", "lists the workflows with their status"],
    ["start trial", "starts it, or says everything that it lacks"],
    ["pause trial", "contacts stay where they are, new ones are queued for 24 hours"],
    ["resume trial", "goes on"],
  ],
  usual: "list",
  options: {
    "dry-run": { about: "only says what the workflow lacks" },
    watch: { about: "shows it every 2 seconds" },
    contact: { value: "who", about: "a contact that exists: its address, userId or id" },
    property: { value: "name=value", many: true, about: "a property of the contact; repeatable" },
    event: { value: "name", about: "the event that starts it; its properties follow as name=value" },
    assume: { value: "days:name=value", many: true, about: "a property that changes after this many days; repeatable" },
    days: { value: "n", about: "how many days" },
    at: { value: "time", about: "the time of the entry, ISO 8601" },
    from: { value: "rev", about: "the older revision" },
    to: { value: "rev", about: "the newer revision" },
    discard: { about: "contacts who wait at a step that is deleted leave the workflow" },
    "pause-and-resume": { about: "pauses a workflow that is sending for the time of the change" },
    workflow: { value: "id", about: "the workflow to change, where its name is another than in the file" },
    json: { about: "prints the answer as JSON" },
    team: { value: "slug", about: "the team (default: that of EMAIL_API_KEY, else demo)" },
    url: { value: "url", about: "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)" },
  },
  commands: {
    list: {
      about: "lists the workflows with their status",
      options: ["json"],
      examples: [["list"]],
    },
    start: {
      about: "starts it, or says everything that it lacks",
      arguments: ["<workflow>"],
      options: ["dry-run", "json"],
      examples: [["start trial"], ["start trial --dry-run", "only says it"]],
    },
    pause: {
      about: "contacts stay where they are, new ones are queued for 24 hours",
      arguments: ["<workflow>"],
      options: ["json"],
      examples: [["pause trial"]],
    },
    resume: {
      about: "goes on",
      arguments: ["<workflow>"],
      options: ["dry-run", "json"],
      examples: [["resume trial"]],
    },
    stop: {
      about: "pauses it without queueing new contacts",
      arguments: ["<workflow>"],
      options: ["json"],
      examples: [["stop trial"]],
    },
    status: {
      about: "where contacts wait, and what was sent",
      arguments: ["<workflow>"],
      options: ["watch", "json"],
      examples: [["status trial"], ["status trial --watch", "shows it every 2 seconds"]],
    },
    here: {
      about: "who waits at each step, since and until when",
      arguments: ["<workflow>"],
      options: ["json"],
      examples: [["here trial"]],
    },
    explain: {
      about: "what happened to a contact, or why it did not enter",
      arguments: ["<workflow>", "<contact>"],
      options: ["json"],
      examples: [["explain trial ada@example.com"]],
    },
    remove: {
      about: "takes a contact out",
      arguments: ["<workflow>", "<contact>"],
      options: ["json"],
      examples: [["remove trial ada@example.com"]],
    },
    simulate: {
      about: "plays the coming days for a contact",
      arguments: ["<workflow>", "[pairs...]"],
      options: ["contact", "property", "event", "assume", "days", "at", "json"],
      examples: [
        ["simulate trial --contact ada@example.com --days 60"],
        ["simulate trial --property plan=pro --event trialStarted plan=pro", "for an invented one, with its event"],
        ["simulate trial --property plan=pro --assume 3:plan=team", "its plan changes after 3 days"],
      ],
    },
    "dry-run": {
      about: "what it would have done with the events of the last days",
      arguments: ["<workflow>"],
      options: ["days", "json"],
      examples: [["dry-run trial --days 7"]],
    },
    diff: {
      about: "what changed since it last ran, and what that does to waiting contacts",
      arguments: ["<workflow>"],
      options: ["from", "to", "json"],
      examples: [["diff trial"]],
    },
    export: {
      about: "writes it as a file (JSON for a name that ends in .json)",
      arguments: ["<workflow>", "[file]"],
      options: ["json"],
      examples: [["export trial trial.yaml"], ["export trial", "prints it"]],
    },
    plan: {
      about: "what apply would change",
      arguments: ["<file>"],
      options: ["workflow", "json"],
      examples: [["plan trial.yaml"]],
    },
    apply: {
      about: "creates or changes the workflow as the file says; plan shows what it would change",
      arguments: ["<file>"],
      options: ["workflow", "discard", "pause-and-resume"],
      examples: [["apply trial.yaml"]],
    },
  },
  notes: `ADMIN_TOKEN, and for files EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if a workflow cannot start, or the service refuses or gives no answer; 2 if the command line is wrong.`,
});

export type Line = LineOf<typeof WORKFLOWS>;
export type CommandName = Line["command"];
export type Values = Line["values"];
