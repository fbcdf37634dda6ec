import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "../scripts/bundle.ts";
import { evaluatorOf } from "../src/email/audience/evaluate.ts";
import type { AudienceFilter } from "../src/lib/contract/audience/filter.ts";
import { ADMIN_TOKEN, ask, createTeam } from "./ask.ts";
import { startOnDisk } from "./start.ts";

const HELP = `Counts segments of four conditions in a large team, in slices, and evaluates them for one contact.

  npm run bench:segments
  npm run bench:segments -- --contacts 100000`;

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000000" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** CPU time: ms for a million contacts, ms for a slice; and µs of the evaluator for one contact. */
const LIMITS = { all: 800, slice: 10, contact: 20 };
/** Contacts added per call. */
const FILL = 20_000;

const property = (key: string, operator: string, value?: string | number) =>
  ({ type: "property", key, operator, ...(value === undefined ? {} : { value }) }) as AudienceFilter["conditions"][0];

const filters: Record<string, AudienceFilter> = {
  "four conditions, SQL alone": {
    match: "all",
    conditions: [
      property("plan", "equals", "pro"),
      property("seats", "greaterThan", 25),
      property("lifetimeValue", "lessThan", 500),
      property("createdAt", "after", "2025-01-01"),
    ],
  },
  "with contains, judged where text is not ASCII": {
    match: "all",
    conditions: [
      property("plan", "equals", "pro"),
      property("company", "contains", "ny 77"),
      property("seats", "notEquals", 7),
      property("trial", "isFalse"),
    ],
  },
  "any of four": {
    match: "any",
    conditions: [
      property("plan", "equals", "basic"),
      property("country", "empty"),
      property("firstName", "equals", "First7"),
      property("seats", "lessThan", 2),
    ],
  },
};

/** µs of the evaluator for one contact. */
const evaluated = (filter: AudienceFilter): number => {
  const types = {
    plan: "string",
    company: "string",
    country: "string",
    seats: "number",
    lifetimeValue: "number",
    trial: "boolean",
  };
  const { failing } = evaluatorOf(filter, {
    types: new Map(Object.entries(types)) as ReadonlyMap<string, "string" | "number" | "boolean">,
    messagesOf: () => undefined,
  });
  const contact = {
    ...{ email: "person1@example.com", userId: "user_1", createdAt: 1_760_000_000_000, updatedAt: 1_760_000_000_000 },
    data: {
      ...{ firstName: "First1", lastName: "Last1", source: "API", subscribed: true, userGroup: "", optInStatus: null },
      properties: { plan: "pro", seats: 30, country: "GB", company: "Company 7742", lifetimeValue: 100, trial: false },
    },
  };
  const facts = { contact, hasActivity: () => false, now: Date.now() };
  const RUNS = 100_000;
  const began = performance.now();
  for (let i = 0; i < RUNS; i++) failing(facts);
  return ((performance.now() - began) * 1_000) / RUNS;
};

const main = async (): Promise<boolean> => {
  const contacts = Number(values.contacts);
  if (!(contacts >= 10_000 && contacts <= 1_000_000)) throw new Error(HELP);
  const worker = await startOnDisk({
    script: await bundle(join(import.meta.dirname, "worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });
  const bench = (query: Record<string, string | number>) =>
    ask("GET", `${worker.url}/bench?${new URLSearchParams({ team: "large", ...query } as Record<string, string>)}`, "");
  const count = (filter: AudienceFilter): Promise<{ contacts: number; slices: number }> =>
    bench({ filter: JSON.stringify(filter) });
  try {
    const call = await createTeam(worker.url, "large", { createProperties: true });
    const first = { plan: "pro", seats: 1, country: "GB", company: "x", lifetimeValue: 1, trial: false };
    await call("POST", "/contacts/create", { email: "first@example.com", ...first });
    for (let from = 0; from < contacts; from += FILL) {
      await bench({ from, to: Math.min(from + FILL, contacts) - 1 });
    }
    let within = true;
    for (const [name, filter] of Object.entries(filters)) {
      const { contacts: found, slices } = await count(filter);
      const runs: number[] = [];
      for (let i = 0; i < 3; i++) {
        const before = worker.cpu();
        await count(filter);
        runs.push((worker.cpu() - before) * 1_000);
      }
      const all = (Math.min(...runs) * 1_000_000) / contacts;
      const slice = Math.min(...runs) / slices;
      const one = evaluated(filter);
      within &&= all <= LIMITS.all && slice <= LIMITS.slice && one <= LIMITS.contact;
      console.log(`${name}: ${found} of ${contacts} contacts`);
      console.log(`  CPU time for a million contacts: ${all.toFixed(0)} ms (at most ${LIMITS.all})`);
      console.log(`  CPU time of one of ${slices} slices: ${slice.toFixed(1)} ms (at most ${LIMITS.slice})`);
      console.log(`  the evaluator for one contact: ${one.toFixed(1)} µs (at most ${LIMITS.contact})`);
    }
    console.log(within ? "\nWithin all bounds." : "\nMore than a bound.");
    return within;
  } finally {
    await worker.stop();
  }
};

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : 1;
