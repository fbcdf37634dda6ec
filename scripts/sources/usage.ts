import { define } from "../lib/command.ts";

export const SOURCES = define({
  name: "sources",
  about: "Lists the sources of this deployment, or connects one at its provider.",
  examples: [["", "sources, with the secrets that are set on this machine"]],
  commands: {
    list: { about: "lists the sources and the secrets that are set on this machine", examples: [["list"]] },
    connect: {
      about: `Makes the event destination of a bridge at the provider, with exactly the events that the rules of the source read, and
stores its signing secret in .dev.vars. If there is one with the same address, its events are brought up to date. Possible: stripe.`,
      arguments: ["[source]"],
      options: ["url", "payload", "replace", "dry-run"],
      examples: [
        ["connect stripe --url https://bridge.example.com --dry-run", "prints what would be done"],
        ["connect stripe --url https://bridge.example.com", "makes or updates the destination"],
        ["connect stripe --url https://bridge.example.com --replace", "makes a new one, for a secret that was lost"],
      ],
    },
  },
  usual: "list",
  options: {
    url: { value: "url", about: "the bridge, as the provider reaches it (default: PUBLIC_URL)" },
    payload: {
      value: "kind",
      default: "thin",
      about: "thin: events name an object, which the bridge fetches. snapshot: events have the object",
    },
    replace: { about: "makes a new destination and deletes the one with the same address and payload" },
    "dry-run": { about: "changes nothing" },
  },
  notes: `The provider's key (STRIPE_API_KEY) comes from the environment or .dev.vars. It needs write access to event destinations, which
the bridge's own key does not: give another key for this run in the environment. The secret is never printed.`,
});
