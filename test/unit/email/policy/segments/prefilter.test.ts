import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { ContactFacts } from "../../../../../src/email/policy/segments/facts.ts";
import { schema } from "../../../../../src/email/workspace/core/schema.ts";
import type { AudienceFilter, Operator } from "../../../../../src/lib/contract/audience/filter.ts";
import { emailKey } from "../../../../../src/lib/util/email-key.ts";
import { disagreements } from "../../../../audience/compare.ts";
import {
  farTimes,
  filter,
  numbers,
  type RandomActivity,
  type RandomContact,
  randomTeam,
  texts,
  times,
} from "../../../../audience/random.ts";

/** `SEGMENT_FILTERS=10000` compares that many filters, each with 1 000 contacts. */
const FILTERS = inject("filters");
const PER_TEAM = Math.min(1_000, FILTERS);
const teams = Array.from({ length: FILTERS / PER_TEAM }, (_, i) => i + 1);

const timeIf = (did: boolean) => (did ? 1 : null);

const comparerOf = (contacts: readonly RandomContact[], activity: readonly RandomActivity[] = []) => {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of schema.migrations) database.exec(sql);
  const add = database.prepare(`INSERT INTO contacts (n, id, email, email_key, user_id, data, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, jsonb(?), ?, ?)`);
  for (const { n, email, userId, data, createdAt, updatedAt } of contacts) {
    const key = email === null ? null : emailKey(email);
    add.run(n, `con_${n}`, email, key, userId, JSON.stringify(data), createdAt, updatedAt);
  }
  const note = database.prepare(`INSERT INTO engagement (contact, message, run, send, sent_at, opened_at, clicked_at)
     VALUES (?, ?, 0, 1, ?, ?, ?)`);
  for (const { contact, message, sent, opened, clicked } of activity) {
    note.run(contact, message, timeIf(sent), timeIf(opened), timeIf(clicked));
  }
  const query = (sql: string, parameters: string, after: number) =>
    database.prepare(sql).all(parameters, after) as { n: number; unsure: number }[];
  const byContact = Map.groupBy(activity, ({ contact }) => contact);
  return (one: AudienceFilter) => disagreements(one, { contacts, activity: byContact }, query);
};

type Properties = ContactFacts["data"]["properties"];

const contactsWith = (all: readonly Properties[]): RandomContact[] =>
  all.map((properties, i) => ({
    n: i + 1,
    email: null,
    userId: null,
    createdAt: 0,
    updatedAt: 0,
    data: {
      firstName: null,
      lastName: null,
      source: "API",
      subscribed: true,
      userGroup: "",
      optInStatus: null,
      properties,
    },
  }));

const property = (key: string, operator: Operator, value: string | number): AudienceFilter => ({
  match: "all",
  conditions: [{ type: "property", key, operator, value }],
});

describe("the SQL of a filter never drops a contact that the evaluator takes, and is right where it is sure", () => {
  it.each(teams)(
    "for random filters and contacts (team %i)",
    (seed) => {
      const { contacts, activity } = randomTeam(seed, 1_000);
      const compare = comparerOf(contacts, activity);
      fc.assert(
        fc.property(filter, (one) => {
          expect(compare(one)).toEqual([]);
        }),
        { numRuns: PER_TEAM, seed },
      );
    },
    600_000,
  );

  it.each(["equals", "notEquals", "contains", "notContains"] as const)("for any two texts and %s", (operator) => {
    const compare = comparerOf(contactsWith([{}, ...texts.map((plan) => ({ plan }))]));
    for (const text of texts) expect(compare(property("plan", operator, text))).toEqual([]);
  });

  it.each(["equals", "notEquals", "greaterThan", "lessThan"] as const)("for any two numbers and %s", (operator) => {
    const compare = comparerOf(contactsWith([{}, ...numbers.map((seats) => ({ seats }))]));
    for (const number of numbers) expect(compare(property("seats", operator, number))).toEqual([]);
  });

  it.each(["after", "before"] as const)("for any two dates and %s", (operator) => {
    const stored = [...times, ...farTimes].map((at) => ({ trialEnd: new Date(at).toISOString() }));
    const compare = comparerOf(contactsWith([{}, ...stored]));
    for (const at of times) expect(compare(property("trialEnd", operator, new Date(at).toISOString()))).toEqual([]);
  });
});

it("knows all characters outside ASCII that become ASCII in NFC or in lower case", () => {
  const found = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 127 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    .filter((letter) => /[\x00-\x7f]/.test(letter.normalize("NFC") + letter.normalize("NFC").toLowerCase()));
  expect(found).toEqual(["\u0130", "\u037e", "\u1fef", "\u212a"]);
});
