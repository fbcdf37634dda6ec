import * as z from "zod";
import { act, read } from "../../operation.ts";
import { erased } from "../erased.ts";
import { count, reach, time } from "./answers.ts";
import { cursor, flag, personFields, some, text } from "./bridge-fields.ts";

const { email, userId } = personFields;

const identifier = z.union([
  z.strictObject({ email: z.string(), earlier: z.literal(true).optional() }),
  z.strictObject({ userId: z.string(), earlier: z.literal(true).optional() }),
  z.strictObject({ ref: z.string(), earlier: z.literal(true).optional() }),
]);

export const people = {
  erase: act("owner", {
    method: "POST",
    path: "/erase",
    summary: "Erase a person",
    danger: true,
    dryRun: false,
    request: some({ email, userId, cursor, dryRun: flag, service: flag }),
    response: z.strictObject({
      dryRun: z.boolean(),
      finished: z.boolean(),
      erased: z.strictObject({
        identifiers: count,
        webhooks: count,
        deliveries: count,
        discarded: count,
        links: count,
      }),
      service: erased.shape.erased.optional(),
      /** Dry run only: the identifiers and remaining data. */
      reached: z.array(identifier).optional(),
      notReached: z.array(z.string()).optional(),
      ...reach,
      message: z.string(),
    }),
    status: 200,
    mayBeEmpty: true,
    refusals: [400],
    example: { email: "ada@example.com", dryRun: true },
  }),
  suppression: read("viewer", {
    path: "/suppression",
    summary: "Ask the email service whether an address is suppressed",
    request: some({ email, userId }),
    response: z.strictObject({
      known: z.boolean(),
      isSuppressed: z.boolean(),
      contact: z.looseObject({ id: z.string() }).nullable(),
      removalQuota: z.strictObject({ limit: z.int(), remaining: z.int() }).optional(),
    }),
    status: 200,
    refusals: [400],
    example: { email: "ada@example.com" },
  }),
  /** At most five people. `kind`, `value`, `source`: the identifier that begins so. */
  search: read("viewer", {
    path: "/people/search",
    summary: "Find people by the beginning of an address, user id or provider id",
    request: some({ q: text(500) }),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          kind: z.enum(["email", "userId", "ref"]),
          value: z.string(),
          source: z.string().optional(),
          email: z.string().nullable(),
          userId: z.string().nullable(),
        }),
      ),
      rowsRead: z.int(),
    }),
    status: 200,
    refusals: [400],
    example: { q: "cus_1" },
  }),
  get: read("viewer", {
    path: "/people",
    summary: "Show what the bridge knows about a person",
    request: some(personFields),
    response: z.strictObject({
      /** Linked identifiers. `source`: of a ref. `learnedAt`: last webhook time. */
      identifiers: z.array(
        z.strictObject({
          kind: z.enum(["email", "userId", "ref"]),
          value: z.string(),
          source: z.string().optional(),
          learnedAt: time.nullable(),
        }),
      ),
      /** The webhook time of the last written value, by contact property. */
      written: z.record(z.string(), time),
      seenAt: time.nullable(),
      /** The last customer who left for another contact, and what that changed. */
      left: z.strictObject({ at: time, cause: z.string() }).nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { email: "ada@example.com" },
  }),
} as const;
