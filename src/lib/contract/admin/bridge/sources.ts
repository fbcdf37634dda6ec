import * as z from "zod";
import { operation } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./fields.ts";

const source = z.strictObject({
  name: z.string(),
  provider: z.string(),
  title: z.string(),
  /** Where the provider sends its webhooks, below the address of the bridge. */
  path: z.string(),
  /** The whole address; null where PUBLIC_URL is not set. */
  address: z.string().nullable(),
  /** How a webhook proves that the provider sent it. */
  proof: z.string(),
  /** Where to enter the address at the provider, and where the secret comes from. */
  whereToSet: z.string(),
  secret: z.strictObject({
    variable: z.string(),
    state: z.enum(["set", "missing", "unusable"]),
    /** Several during a rotation; each is accepted. */
    values: count,
    /** Why a value cannot be used. While another value can, the state is `set`. */
    why: z.string().optional(),
  }),
  /** How many rules it has. */
  rules: count,
  /** The event types that its rules read. */
  events: z.array(z.string()),
  shadow: z.boolean(),
  testData: z.enum(["deliver", "skip"]),
  /** Seconds that a signed time may be off; null for the provider's own tolerance. */
  tolerance: z.number().nullable(),
  /** The time without a webhook that raises an alert, such as `6h`. */
  silentAfter: z.string().nullable(),
  /** The variable with the key of the provider's API, which tells the person of an id. */
  fetchBack: z.strictObject({ variable: z.string(), set: z.boolean() }).nullable(),
  pausedSince: time.nullable(),
  lastReceived: time.nullable(),
  /** To the minute. */
  lastRefused: z.strictObject({ at: time, code: z.string() }).nullable(),
  /** Accepted in the last 24 hours, without duplicates. */
  received24h: count,
  refused24h: count,
});

/** The sources as they are configured, with what arrived. No secret is in it. */
export const sources = {
  list: operation({
    method: "GET",
    path: "/sources",
    summary: "List the sources, the state of their secrets, and what they received",
    request: some({ source: webhookFields.source }),
    response: z.strictObject({ data: z.array(source) }),
    status: 200,
    refusals: [400],
    example: { source: "stripe" },
  }),
} as const;
