import * as z from "zod";
import { question, read } from "../../operation.ts";
import { action, outcome } from "./answers.ts";
import { some, text, webhookFields } from "./bridge-fields.ts";

const leaf = z.union([z.strictObject({ value: z.json() }), z.strictObject({ text: z.string() })]);
const leaves = z.record(z.string(), leaf);

const rule = z.strictObject({
  source: z.string(),
  name: z.string(),
  on: z.array(z.string()),
  when: z.string().nullable(),
  stored: z.array(z.string()).describe("conditions on the state that the bridge stores"),
  remembers: leaves.describe("values that the bridge stores, and writes to no contact"),
  contact: z.union([leaf, leaves]),
  update: leaves,
  guesses: z.record(z.string(), z.strictObject({ guess: leaf, given: leaf.nullable(), from: z.string() })),
  subscription: z.strictObject({ update: leaves }).catchall(leaf).nullable(),
  lists: leaves,
  event: z
    .strictObject({
      name: z.string(),
      properties: leaves,
      onlyKnown: z.boolean(),
      maxAge: z.string().nullable(),
    })
    .nullable(),
  transactional: z
    .strictObject({
      templates: z.array(z.string()),
      chosenBy: z.string().nullable(),
      variables: leaves,
      addToAudience: z.boolean(),
      maxAge: z.string().nullable(),
      expires: z.string().nullable(),
    })
    .nullable(),
  remove: z.enum(["unsubscribe", "delete"]).nullable(),
});

const tried = z.strictObject({
  rule: z.string(),
  action,
  what: z.string(),
  whom: z.string(),
  request: z.strictObject({ method: z.string(), path: z.string(), body: z.record(z.string(), z.json()) }),
  problems: z.array(z.string()),
});

const runFields = {
  source: webhookFields.source,
  type: webhookFields.type,
  body: z.record(z.string(), z.unknown()).describe("a JSON object, as the provider sends it"),
  webhook: text(100),
};

const MAX_RUN = 1_100_000;

export const rules = {
  list: read("viewer", {
    path: "/rules",
    summary: "List the rules of all sources",
    request: some({ source: webhookFields.source }),
    response: z.strictObject({ data: z.array(rule) }),
    status: 200,
    refusals: [400],
    example: { source: "stripe" },
  }),
  run: question("viewer", {
    path: "/rules/try",
    summary: "Run today's rules on a body or a stored webhook, without any effect",
    /** A run on a stored webhook shows body data. */
    part: { name: "webhook", needs: "support", when: ({ webhook }) => webhook !== undefined, audited: true },
    request: some(runFields),
    response: z.strictObject({
      source: z.string(),
      type: z.string(),
      id: z.string(),
      test: z.boolean(),
      skip: z.string().nullable(),
      outcomes: z.array(outcome),
      links: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
      deliveries: z.array(tried),
      planned: z.array(tried).nullable(),
    }),
    status: 200,
    mayBeEmpty: true,
    refusals: [400, 404, 413],
    maxBody: MAX_RUN,
    example: { source: "stripe", type: "invoice.paid", body: { data: {} } },
  }),
} as const;
