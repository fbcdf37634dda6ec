import { define } from "../lib/command.ts";

export const AUDIT = define({
  name: "audit",
  about: "Lists who changed what in the bridge and in the email service, newest first.",
  examples: [
    ["--since 1d"],
    ["--who token", "requests with the admin token that name no person of the dashboard"],
    ["--operation email.keys", "what was done to API keys"],
  ],
  options: {
    since: { value: "time", default: "7d", about: "how far back: 7d, 12h, or 2026-01-31" },
    who: { value: "name", about: "only this name" },
    from: { value: "address", about: "only this client address, as the list shows it" },
    operation: { value: "name", about: "only this operation, or those that begin with it" },
    limit: { value: "n", default: "50", about: "most entries to show" },
    url: {
      value: "url",
      about: "the bridge (default: the one that npm start runs here, or http://127.0.0.1:<PORT>, PORT 8787)",
    },
    "email-url": { value: "url", about: "the email service, as in npm run why" },
    json: { about: "JSON, for programs" },
  },
  notes: `The ADMIN_TOKEN of the bridge, and the EMAIL_ADMIN_TOKEN of the email service if it is another one, come from the environment
or .dev.vars. docs/audit.md says what is listed.

Exit code 1 if one of them gives no answer.`,
});
