import * as z from "zod";
import { read } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./bridge-fields.ts";

const source = z.strictObject({
  name: z.string(),
  provider: z.string(),
  title: z.string(),
  path: z.string(),
  /** Null if PUBLIC_URL is not set. */
  address: z.string().nullable(),
  proof: z.string(),
  whereToSet: z.string(),
  secret: z.strictObject({
    variable: z.string(),
    state: z.enum(["set", "missing", "unusable"]),
    values: count,
    why: z.string().optional(),
  }),
  rules: count,
  events: z.array(z.string()),
  planOnly: z.boolean(),
  testData: z.enum(["deliver", "skip"]),
  /** Seconds; null for the provider's default. */
  tolerance: z.number().nullable(),
  /** The silence before an alert, such as `6h`. */
  silentAfter: z.string().nullable(),
  fetchBack: z.strictObject({ variable: z.string(), set: z.boolean() }).nullable(),
  pausedSince: time.nullable(),
  lastReceived: time.nullable(),
  lastRefused: z.strictObject({ at: time, code: z.string() }).nullable(),
  received24h: count,
  refused24h: count,
});

export const sources = {
  list: read("viewer", {
    path: "/sources",
    summary: "List the sources, the state of their secrets, and what they received",
    request: some({ source: webhookFields.source }),
    response: z.strictObject({ data: z.array(source) }),
    status: 200,
    refusals: [400],
    example: { source: "stripe" },
  }),
} as const;
