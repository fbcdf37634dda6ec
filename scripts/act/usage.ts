import { define } from "../lib/command.ts";

const DELIVERY = ["<delivery>"];

export const ACT = define({
  name: "act",
  about: "Acts on the ledger of the bridge. npm run why prints the commands that fit; docs/admin-api.md explains them.",
  examples: [["retry wh_….0", "sends a failed or undecided delivery once more"]],
  options: {
    yes: { about: "does it; without it, the command says what it would do" },
    service: { about: "at the email service too" },
    actions: {
      value: "list",
      default: "contact",
      about: "the deliveries to make, for example contact,event,transactional,delete",
    },
    "email-url": { value: "url", about: "the email service of snd_…, as in npm run why" },
    team: { value: "slug", about: "the team of snd_…, as in npm run why" },
    url: {
      value: "url",
      about: "the bridge (default: the one that npm start runs here, or http://127.0.0.1:<PORT>, PORT 8787)",
    },
  },
  commands: {
    retry: {
      about: "sends a failed or undecided delivery, or a mail with an unknown result, once more",
      arguments: DELIVERY,
      options: ["email-url", "team"],
      examples: [
        ["retry wh_….0", "a failed or undecided delivery, with the same key"],
        ["retry snd_…", "a mail whose result is unknown, with the same Message-ID"],
      ],
    },
    "send-again": {
      about: "sends a delivery with a new key; says first what is known, sends with --yes",
      arguments: DELIVERY,
      options: ["yes"],
      examples: [["send-again wh_….0 --yes"]],
    },
    discard: {
      about: "a failed or undecided delivery is never sent",
      arguments: DELIVERY,
      examples: [["discard wh_….0"]],
    },
    replay: {
      about: "runs today's rules on a webhook; says first what it would do, does it with --yes",
      arguments: ["<webhook>"],
      options: ["actions", "yes"],
      examples: [["replay wh_… --actions contact,event"]],
    },
    pause: {
      about: "pauses the deliveries of a source; without a source, all deliveries",
      arguments: ["[source]"],
      examples: [["pause stripe"]],
    },
    resume: {
      about: "resumes the deliveries of a source; without a source, all deliveries",
      arguments: ["[source]"],
      examples: [["resume stripe"]],
    },
    erase: {
      about: "erases a person from the ledger; says first what it would erase, does it with --yes",
      arguments: ["<person>"],
      options: ["service", "yes"],
      examples: [["erase ada@example.com --service", "an address or user id, at the email service too"]],
    },
    unsuppress: {
      about: "removes an address from the suppression list of the email service",
      arguments: ["<address>"],
      examples: [["unsuppress ada@example.com"]],
    },
  },
  notes: `ADMIN_TOKEN of the bridge, and for unsuppress EMAIL_API_KEY, are read from the environment or .dev.vars.
Exit code 1 if the bridge refuses or gives no answer; 2 if the command line is wrong.`,
});
