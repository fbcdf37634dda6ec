import { define } from "../lib/command.ts";

export const WHY = define({
  name: "why",
  about: "Shows what happened to every webhook about a person, and why an email was sent or not.",
  arguments: ["<person>"],
  examples: [
    ["ada@example.com"],
    ["user_42", "a user id, or a provider's own id (cus_…)"],
    ["wh_…", "one webhook with every step; wh_….0 is its first delivery"],
    ["snd_…", "one mail with every step: each attempt, and what was reported later"],
    ["ada@example.com --since 30d --url https://bridge.example.com"],
  ],
  options: {
    since: { value: "time", default: "7d", about: "how far back: 7d, 12h, or 2026-01-31" },
    limit: { value: "n", default: "50", about: "most webhooks to show" },
    full: { about: "also shows every step: each attempt with its status, message and wait" },
    url: {
      value: "url",
      about: "the bridge (default: the one that npm start runs here, or http://127.0.0.1:<PORT>, PORT 8787)",
    },
    "email-url": {
      value: "url",
      about:
        "the email service (default: EMAIL_URL, otherwise http://127.0.0.1:<EMAIL_PORT>, 8788, beside a local bridge)",
    },
    team: { value: "slug", about: "the team there (default: that of EMAIL_API_KEY, otherwise the only team)" },
    json: { about: "JSON, for programs" },
  },
  notes: `The search includes every identifier that webhooks have linked to this person. Newest webhook first. Under a trouble it
prints what to do. Where the email service is Mailspan's email service, it says what became of each mail. Nothing is changed: npm run
act acts.

The ADMIN_TOKEN of the bridge, and the EMAIL_ADMIN_TOKEN of the email service if it is another one, come from the environment
or .dev.vars.

Exit code 1 if the bridge gives no answer.`,
});
