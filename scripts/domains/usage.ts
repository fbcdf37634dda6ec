import { define } from "../lib/command.ts";

const DOMAIN = ["<domain>"];

export const DOMAINS = define({
  name: "domains",
  about: "Sending domains of a team, with their DNS records. docs/sending-domains.md explains them.",
  examples: [
    ["", "lists the domains and their records"],
    ["add mail.example.com", "adds a domain and shows the records to enter at your DNS provider"],
    ["check mail.example.com --wait 10", "checks the records for 10 minutes"],
  ],
  options: {
    wait: { value: "minutes", about: "until the records are right" },
    team: { value: "slug", default: "demo", about: "the team" },
    url: { value: "url", about: "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)" },
  },
  usual: "list",
  commands: {
    list: { about: "lists the domains and their records", examples: [["list"]] },
    add: {
      about: "adds a domain and shows the records to enter at your DNS provider",
      arguments: DOMAIN,
      options: ["wait"],
      examples: [["add mail.example.com"]],
    },
    zone: {
      about: "prints the records as a zone file",
      arguments: DOMAIN,
      examples: [["zone mail.example.com"]],
    },
    share: {
      about: "makes a link to the records, for whoever manages the DNS; it ends after 7 days",
      arguments: DOMAIN,
      examples: [["share mail.example.com"]],
    },
    check: {
      about: "checks the records now",
      arguments: DOMAIN,
      options: ["wait"],
      examples: [["check mail.example.com"], ["check mail.example.com --wait 10", "checks again for 10 minutes"]],
    },
    reports: {
      about: "shows the DMARC reports of the last 30 days by source and result",
      arguments: DOMAIN,
      examples: [["reports mail.example.com"]],
    },
    default: {
      about: "sends all mail of the team from this domain",
      arguments: DOMAIN,
      examples: [["default mail.example.com"]],
    },
    warm: {
      about: "ends the warm-up: the domain has sent mail before, elsewhere",
      arguments: DOMAIN,
      examples: [["warm mail.example.com"]],
    },
    rotate: {
      about: "begins to replace the DKIM key",
      arguments: DOMAIN,
      examples: [["rotate mail.example.com"]],
    },
    remove: { about: "deletes the domain", arguments: DOMAIN, examples: [["remove mail.example.com"]] },
  },
  notes: `ADMIN_TOKEN is read from the environment or .dev.vars. Exit code 1 if a required record is not right; 2 if the command
line is wrong.`,
});
