import { define } from "../lib/command.ts";

export const IMPORT = define({
  name: "import",
  about: "Imports contacts from a CSV file into a team of the email service.",
  arguments: ["[file]"],
  examples: [
    ["people.csv", "the first rows, and what each column would become"],
    ["people.csv --dry-run", "the outcome of each row, nothing is written"],
    ['people.csv --start --map "E-mail=email" --map "Plan=plan" --map "Notes=-"'],
    ['people.csv --start --map "State=unsubscribed:gone|moved" --dates "Joined=day-first"'],
    ["unsubscribed.csv --start --all-unsubscribed"],
    ["bounces.csv --start --suppress-as bounce", "suppresses the addresses; no contact is created"],
    ["--import imp_1", "goes on with an import that an earlier command began"],
    ["--imports", "the newest imports of the team"],
    ["--cancel imp_1", "cancels one; a team has at most 10 that are not finished"],
  ],
  options: {
    map: {
      value: "COLUMN=FIELD",
      many: true,
      about:
        "what a column becomes, in place of the guess: a field, a property, list:<id>, unsubscribed, or - to ignore it; may be repeated",
    },
    create: {
      value: "NAME=TYPE",
      many: true,
      about: "creates a contact property: string, number, boolean or date; may be repeated",
    },
    list: {
      value: "ID",
      many: true,
      about: "a mailing list that every contact of the file joins; may be repeated",
    },
    dates: {
      value: "COLUMN=ORDER",
      many: true,
      about: "how a column means dates such as 01/02/2024: day-first or month-first; may be repeated",
    },
    "all-unsubscribed": { about: "nobody in the file is subscribed" },
    "ignore-consent": {
      value: "COLUMN",
      many: true,
      about: "ignores a column that says who gets no mail, or the name of the file where it says so; may be repeated",
    },
    "suppress-as": {
      value: "REASON",
      about: "suppresses each address: bounce, complaint or manual, where no column says another reason",
    },
    "skip-bad-cells": { about: "leaves out a cell that its column cannot take, and imports the row" },
    start: { about: "imports; without it and --dry-run, the file is only looked at" },
    "dry-run": { about: "checks every row" },
    "only-new": { about: "leaves contacts that exist as they are" },
    "trigger-workflows": { about: "new contacts and changes start workflows" },
    encoding: { value: "name", about: "in place of what the file says: windows-1252 …" },
    delimiter: { value: "name", about: "in place of what the file says: comma, semicolon, tab or pipe" },
    outcome: {
      value: "FILE",
      about: "where the outcome of each row goes (default: people.outcome.csv for people.csv)",
    },
    import: { value: "ID", about: "an import of the service in place of a file: starts it, or follows it to its end" },
    imports: { about: "lists the newest imports of the team" },
    cancel: { value: "ID", about: "cancels an import" },
    team: { value: "NAME", about: 'the team (default: that of the API key, else "demo")' },
    url: { value: "url", about: "the email service, where it is not on this machine" },
  },
  notes: `The token is ADMIN_TOKEN in .dev.vars or the environment. Where the service stops, the command waits for it for a minute,
and an upload that broke off begins again. The service goes on with an import by itself, without this command too.`,
});
