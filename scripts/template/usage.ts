import { define } from "../lib/command.ts";

export const TEMPLATE = define({
  name: "template",
  about:
    "Writes the content of a transactional email to a file, and publishes it from there: to correct a template without the API.",
  examples: [
    ["get tpl_receipt", "writes tpl_receipt.lmx, as it is published"],
    ["publish tpl_receipt.lmx", "publishes the file"],
  ],
  options: {
    overwrite: { about: "get replaces a file; publish replaces what another person published or drafted" },
    team: { value: "id", default: "demo", about: "the team" },
    url: { value: "url", about: "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)" },
  },
  commands: {
    get: {
      about: "writes <id>.lmx, as it is published",
      arguments: ["<id>"],
      examples: [["get tpl_receipt"]],
    },
    publish: {
      about: "publishes the file; mails from now on have its content",
      arguments: ["<file>"],
      examples: [["publish tpl_receipt.lmx"]],
    },
  },
  notes: `npm run email -- tpl_receipt.lmx shows the file while you change it.

The file has the subject, the sender and the fallbacks of the message before its LMX. Its id says which transactional email
it is, and its first comment from which content it was written: where another person has published since, publish refuses.

ADMIN_TOKEN, the admin token of the email service, is read from the environment or .dev.vars.`,
});
