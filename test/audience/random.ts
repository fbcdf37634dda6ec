import fc from "fast-check";
import type { ContactFacts, TeamFacts } from "../../src/email/policy/segments/facts.ts";
import type { AudienceCondition, AudienceFilter } from "../../src/lib/contract/audience/filter.ts";
import { operatorsOf } from "../../src/lib/contract/audience/operators.ts";
import { type PropertyType, standardProperties } from "../../src/lib/contract/contact-fields.ts";
import { emailKey } from "../../src/lib/util/email-key.ts";

export const NOW = Date.parse("2026-03-14T15:09:26.535Z");

/** `constructor`: every JavaScript object inherits this name. */
const custom: readonly (readonly [name: string, type: PropertyType])[] = [
  ...(["plan", "city", "constructor"] as const).map((name) => [name, "string"] as const),
  ...(["seats", "score"] as const).map((name) => [name, "number"] as const),
  ["invited", "boolean"] as const,
  ["trialEnd", "date"] as const,
  ["renewal", "date"] as const,
];

const targets: Readonly<Record<string, readonly number[]>> = { cmp_1: [1], wfl_1: [2, 3], wfl_0: [], msg_3: [3] };

/** A zone with days of 23 and 25 hours, which differ from those of UTC. */
export const team: TeamFacts = {
  timeZone: () => "America/New_York",
  types: new Map(custom),
  messagesOf: (_target, id) => (Object.hasOwn(targets, id) ? targets[id] : undefined),
};

/** Texts that look equal but differ for a computer, or for one half of the code only. */
export const texts = [
  "",
  " ",
  " \t\n",
  "\u00a0\u3000\ufeff\u2028\u205f",
  "\u200b",
  "pro",
  "Pro",
  "PRO",
  " pro",
  "project",
  "p",
  "o",
  "I",
  "i",
  "k",
  "K",
  ";",
  "`",
  "'",
  '"',
  "%",
  "_",
  "\\",
  "é",
  "e\u0301",
  "É",
  "E\u0301",
  "café",
  "cafe\u0301",
  "CAFÉ",
  "cafe",
  "Ünal",
  "U\u0308nal",
  "ünal",
  "\u212a",
  "\u212aiev",
  "kiev",
  "Kiev",
  "a\u037eb",
  "a;b",
  "\u1fef",
  "\u0130",
  "\u0130stanbul",
  "istanbul",
  "i\u0307",
  "Istanbul",
  "n",
  "st",
  "\u0131",
  "ß",
  "ss",
  "SS",
  "Σ",
  "σ",
  "ς",
  "ΟΔΟΣ",
  "οδος",
  "東京",
  "京",
  "각",
  "각",
  "ﬁ",
  "fi",
  "🙂",
  "👩‍👩‍👧",
  "\ud83d",
  "\u0000",
  "a\u0000b",
  "b",
  "\u{10ffff}",
  "\u0301",
  "a\u0327\u0301",
  "a\u0301\u0327",
  "á̧",
  "5",
  "true",
  "null",
  "2026-01-01",
  "\u0958",
  "\u0915\u093c",
  "\u0344",
  "x".repeat(500),
];
export const numbers = [
  0,
  -0,
  1,
  -1,
  5,
  5.5,
  0.1,
  0.3,
  0.1 + 0.2,
  1e3,
  1e20,
  1e21,
  1e308,
  5e-324,
  -5e-324,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 60,
  2 ** 62,
  2 ** 63 - 1024,
  2 ** 63,
  2 ** 64,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER - 1,
  1.0000000000000002,
  0.9999999999999999,
];
const DAY = 86_400_000;
export const times = [
  NOW,
  NOW - 1,
  NOW + 1,
  NOW - 30 * DAY,
  NOW - 30 * DAY - 1,
  NOW + 7 * DAY,
  0,
  -1,
  1,
  ...[
    "1969-12-31",
    "2026-01-01",
    "2026-01-01T05:00:00Z",
    "2026-01-02T04:59:59.999Z",
    "2026-03-08T05:00:00Z",
    "2025-12-31T23:59:59.999Z",
    "2024-02-29",
    "0001-01-01",
    "0004-02-29",
  ].map(Date.parse),
  ...["9999-12-31", "9998-12-31T23:59:59.999Z"].map(Date.parse),
];
/** Dates that only a number in a request can give. */
export const farTimes = ["+010000-01-01", "+275760-09-13", "-000001-06-01", "-271821-04-20", "0000-01-01"].map((date) =>
  Date.parse(`${date}T00:00:00Z`),
);

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...texts)).map(([a, b]) => (a + b).slice(0, 500)),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const number = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...numbers) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -10, max: 10 }),
);
const time = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...times) },
  fc.integer({ min: -1000, max: 1000 }).map((days) => NOW + days * DAY),
);
const iso = (at: number) => new Date(at).toISOString();
const storedTime = fc.oneof({ weight: 8, arbitrary: time }, fc.constantFrom(...farTimes)).map(iso);

const storedOf: Record<PropertyType, fc.Arbitrary<string | number | boolean>> = {
  string: text,
  number,
  boolean: fc.boolean(),
  date: storedTime,
};
const emails = ["ada@example.com", "ADA@Example.com", "zoë@example.com", "zoe\u0308@example.com", "a@münchen.example"];
const email = fc.constantFrom(null, ...emails, "a@xn--mnchen-3ya.example", "k@example.com", "\u212a@example.com");

const properties = fc
  .record(Object.fromEntries(custom.map(([name, type]) => [name, storedOf[type]])), { requiredKeys: [] })
  .map((some) => some as ContactFacts["data"]["properties"]);

export type RandomContact = ContactFacts & { n: number };

const contact: fc.Arbitrary<ContactFacts> = fc.record({
  email,
  userId: fc.oneof(fc.constant(null), text),
  createdAt: time,
  updatedAt: time,
  data: fc.record({
    firstName: fc.oneof(fc.constant(null), text),
    lastName: fc.oneof(fc.constant(null), text),
    source: text,
    subscribed: fc.boolean(),
    userGroup: text,
    properties,
    optInStatus: fc.constantFrom(null, "accepted", "pending", "rejected"),
  }),
});

const wantedOf: Record<PropertyType, fc.Arbitrary<string | number>> = {
  string: text,
  number: fc.oneof({ weight: 3, arbitrary: number }, number.map(String)),
  boolean: fc.constant(0),
  date: fc.oneof(
    time.map(iso),
    fc.constantFrom(
      "2026-01-01",
      "2026-03-08",
      "2024-02-29T12:00+02:00",
      "2026-03-08T02:30",
      NOW,
      "-P30D",
      "P7D",
      "-PT1M",
      "P0D",
      "-P36500D",
      "P1W",
    ),
  ),
};

const types = [...standardProperties.map(({ name, type }) => [name, type] as const), ...custom];

const property: fc.Arbitrary<AudienceCondition> = fc.constantFrom(...types).chain(([key, type]) =>
  fc.constantFrom(...operatorsOf[type]).chain((operator): fc.Arbitrary<AudienceCondition> => {
    const base = { type: "property", key, operator } as const;
    if (operator === "between")
      return fc.tuple(time, time).map(([a, b]) => {
        const cut = a % 2 === 0 ? 10 : undefined;
        const [from, to] = [iso(Math.min(a, b)).slice(0, cut), iso(Math.max(a, b)).slice(0, cut)];
        return { ...base, value: { from, to } };
      });
    const wanted =
      key === "email"
        ? fc.oneof(
            email.map((one) => one ?? "x"),
            text,
          )
        : wantedOf[type];
    return wanted.map((value) => ({ ...base, value }));
  }),
);
const optIn = fc.record({
  type: fc.constant("optIn" as const),
  status: fc.constantFrom(null, "accepted" as const, "pending" as const, "rejected" as const),
});
const activity = fc.record({
  type: fc.constant("activity" as const),
  negate: fc.boolean(),
  action: fc.constantFrom("sent" as const, "opened" as const, "clicked" as const),
  target: fc.constantFrom("campaign" as const, "workflow" as const, "workflowEmail" as const),
  id: fc.constantFrom(...Object.keys(targets), "gone"),
});

/** A valid filter, mostly with few conditions. */
export const filter: fc.Arbitrary<AudienceFilter> = fc.record({
  match: fc.constantFrom("all" as const, "any" as const),
  conditions: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.array(fc.oneof({ weight: 8, arbitrary: property }, optIn, activity), {
        minLength: 1,
        maxLength: 4,
      }),
    },
    fc.array(property, { minLength: 50, maxLength: 50 }),
  ),
});

/** Row of the table `engagement`: Unix ms, or null. */
export type RandomActivity = { contact: number; message: number; sent: boolean; opened: boolean; clicked: boolean };

/** Contacts of one team and their activity. The same seed gives the same data. */
export const randomTeam = (seed: number, count: number): { contacts: RandomContact[]; activity: RandomActivity[] } => {
  const emailsTaken = new Set<string>();
  const idsTaken = new Set<string>();
  const own = (value: string | null, taken: Set<string>, key = value) => {
    if (key === null || taken.has(key)) return null;
    taken.add(key);
    return value;
  };
  const contacts = fc.sample(contact, { seed, numRuns: count }).map((one, i) => ({
    ...one,
    n: i * 2 + 1,
    email:
      own(one.email, emailsTaken, one.email === null ? null : emailKey(one.email)) ??
      (i % 3 === 0 ? null : `person${i}@example.com`),
    userId: own(one.userId, idsTaken),
  }));
  const did = fc.record({
    contact: fc.constantFrom(...contacts.map(({ n }) => n)),
    message: fc.constantFrom(1, 2, 3),
    sent: fc.boolean(),
    opened: fc.boolean(),
    clicked: fc.boolean(),
  });
  const all = fc.sample(did, { seed, numRuns: count });
  return { contacts, activity: [...new Map(all.map((one) => [`${one.contact} ${one.message}`, one])).values()] };
};
