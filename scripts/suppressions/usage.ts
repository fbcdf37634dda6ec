import { define } from "../lib/command.ts";

export const SUPPRESSIONS = define({
  name: "suppressions",
  about:
    "Waves of equal bounces, which suppress no address before a decision, and suppressions lifted together. docs/senders.md explains waves.",
  examples: [
    ["waves", "lists the waves of the last 30 days"],
    ["decide wav_… resend", "the addresses are good: their campaign mails are sent again"],
    ['lift --cause "too many recipients" --since 2026-01-31', "says how many suppressions it would remove"],
  ],
  usual: "waves",
  options: {
    yes: { about: "does it; without it, the command says what it would do" },
    q: { value: "text", about: "the beginning of the address" },
    reason: { value: "name", about: "bounce, complaint or manual" },
    cause: { value: "text", about: "a part of the words of the bounce" },
    destination: { value: "name", about: "the domain of the addresses, or a large provider such as Google" },
    since: { value: "time", about: "suppressed since then: 2026-01-31 or 2026-01-31T12:00:00Z" },
    until: { value: "time", about: "suppressed until then" },
    json: { about: "prints the answer as JSON" },
    team: { value: "slug", about: "the team (default: that of EMAIL_API_KEY, else demo)" },
    url: { value: "url", about: "the email service (default: http://127.0.0.1:<EMAIL_PORT>, EMAIL_PORT 8788)" },
  },
  commands: {
    waves: { about: "lists waves, newest first", options: ["json"], examples: [["waves"]] },
    decide: {
      about: "decides about the addresses of a wave, and lets its campaigns go on",
      arguments: ["<wave>", "<decision>"],
      options: ["json"],
      examples: [
        ["decide wav_… resend", "they are good: their campaign mails are sent again"],
        ["decide wav_… suppress", "they do not exist"],
        ["decide wav_… keep", "neither suppresses them nor sends to them again"],
      ],
    },
    lift: {
      about: "removes the suppressions that fit all filters; counts them first, removes them with --yes",
      options: ["yes", "q", "reason", "cause", "destination", "since", "until", "json"],
      examples: [
        ['lift --reason bounce --cause "too many recipients" --since 2026-01-31'],
        ["lift --destination example.com --yes"],
      ],
    },
  },
  notes: `ADMIN_TOKEN is read from the environment or .dev.vars.
Exit code 1 if the email service refuses or gives no answer; 2 if the command line is wrong.`,
});
