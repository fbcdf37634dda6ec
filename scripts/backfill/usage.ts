import { define } from "../lib/command.ts";

export const BACKFILL = define({
  name: "backfill",
  about: `Brings contacts up to date with what a provider had before its first webhook. Reads the provider's API and gives each
object to the rules of the deployed bridge, as if a webhook had come with it. Updates contacts only, in the lowest lane.
It reads Stripe only, and of it products, customers and subscriptions: no payments, charges and invoices.`,
  arguments: ["[source]"],
  examples: [
    ["stripe --since 30d", "products, and the customers and subscriptions created in the last 30 days"],
    ["stripe --since all --dry-run", "reads everything and prints what would be done"],
    ["stripe --resume", "continues an interrupted run"],
  ],
  options: {
    since: { value: "when", about: "objects created since: 12h, 30d, 2026-01-31, 2026-01-31T12:00:00Z, or all" },
    events: {
      about:
        "also sends the events of the rules. Each event starts its workflows, for every person found. Transactional email is never sent. Events that the journal has purged (RETENTION_DAYS) are sent again by a later run",
    },
    "dry-run": { about: "changes nothing" },
    resume: { about: "continues the interrupted run of this source, with the options of that run" },
    url: {
      value: "url",
      about: "the bridge (default: the one that npm start runs here, or http://127.0.0.1:<PORT>, PORT 8787)",
    },
    state: { value: "file", about: "keeps the progress (default: .wrangler/backfill/<source>.json)" },
  },
  notes: `The ADMIN_TOKEN of the bridge and the provider's key come from the environment or .dev.vars. Stripe: STRIPE_API_KEY, a
restricted key that can read products, customers and subscriptions; STRIPE_API_URL replaces the address of its API. A backfill may run
any number of times: an object that is in the journal of the bridge and has not changed is not processed again.`,
});
