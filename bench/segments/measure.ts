import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { evaluatorOf } from "../../src/email/policy/segments/evaluate.ts";
import type { AudienceFilter } from "../../src/lib/contract/audience/filter.ts";
import { ADMIN_TOKEN, ask, createTeam } from "../ask.ts";
import { atMost, type Figure } from "../outbox/report.ts";
import { startOnDisk } from "../start.ts";

/** CPU time: ms for a million contacts, ms for a slice, µs for one contact. */
const LIMITS = { all: 800, slice: 10, contact: 20 };
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

/** µs for one contact. */
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
    email: "person1@example.com",
    userId: "user_1",
    createdAt: 1_760_000_000_000,
    updatedAt: 1_760_000_000_000,
    data: {
      firstName: "First1",
      lastName: "Last1",
      source: "API",
      subscribed: true,
      userGroup: "",
      optInStatus: null,
      properties: { plan: "pro", seats: 30, country: "GB", company: "Company 7742", lifetimeValue: 100, trial: false },
    },
  };
  const facts = { contact, hasActivity: () => false, now: Date.now() };
  const RUNS = 100_000;
  const began = performance.now();
  for (let i = 0; i < RUNS; i++) failing(facts);
  return ((performance.now() - began) * 1_000) / RUNS;
};

export const segments = async (contacts: number): Promise<Figure[]> => {
  const worker = await startOnDisk({
    script: await bundle(join(import.meta.dirname, "../worker.ts")),
    vars: { ADMIN_TOKEN, API_KEY_SECRET: "bench-key-secret" },
    objects: { WORKSPACE: "Workspace", INBOX_STORE: "Inbox", DIRECTORY: "Directory" },
  });
  const bench = (query: Record<string, string | number>) =>
    ask("GET", `${worker.url}/bench?${new URLSearchParams({ team: "large", ...query } as Record<string, string>)}`, "");
  const count = (filter: AudienceFilter): Promise<{ contacts: number; slices: number }> =>
    bench({ filter: JSON.stringify(filter) });
  const measure = async (name: string, filter: AudienceFilter): Promise<Figure[]> => {
    const { contacts: found, slices } = await count(filter);
    const runs: number[] = [];
    for (let i = 0; i < 3; i++) {
      const before = worker.cpu();
      await count(filter);
      runs.push((worker.cpu() - before) * 1_000);
    }
    const [all, slice] = [(Math.min(...runs) * 1_000_000) / contacts, Math.min(...runs) / slices];
    return [
      { what: name, value: `${found} of ${contacts}` },
      atMost("  CPU time for a million contacts", all, LIMITS.all, 0, " ms"),
      atMost(`  CPU time of one of ${slices} slices`, slice, LIMITS.slice, 1, " ms"),
      atMost("  the evaluator for one contact", evaluated(filter), LIMITS.contact, 1, " µs"),
    ];
  };
  try {
    const call = await createTeam(worker.url, "large", { createProperties: true });
    const first = { plan: "pro", seats: 1, country: "GB", company: "x", lifetimeValue: 1, trial: false };
    await call("POST", "/contacts/create", { email: "first@example.com", ...first });
    for (let from = 0; from < contacts; from += FILL) {
      await bench({ from, to: Math.min(from + FILL, contacts) - 1 });
    }
    const figures: Figure[] = [];
    for (const [name, filter] of Object.entries(filters)) figures.push(...(await measure(name, filter)));
    return figures;
  } finally {
    await worker.stop();
  }
};
