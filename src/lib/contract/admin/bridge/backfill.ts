import * as z from "zod";
import { isNoDryRun } from "../../access.ts";
import { act } from "../../operation.ts";
import { count } from "./answers.ts";
import { flag } from "./bridge-fields.ts";

const MAX_OBJECTS = 200;

const objects = z
  .array(z.unknown())
  .min(1)
  .max(MAX_OBJECTS)
  .describe(`a list of 1 to ${MAX_OBJECTS} objects as the provider's API returns them`);

export const backfill = {
  add: act("owner", {
    method: "POST",
    path: "/backfill/{source}",
    summary: "Accept objects that were read from a provider's API",
    danger: isNoDryRun,
    dryRun: false,
    request: z.strictObject({
      source: z.string().max(100),
      objects,
      events: flag.optional(),
      dryRun: flag.optional(),
    }),
    response: z.strictObject({
      dryRun: z.boolean(),
      objects: count,
      accepted: count,
      duplicate: count,
      nothing: count,
      skipped: count,
      deliveries: z.strictObject({ contact: count, event: count }),
      failed: count,
      failures: z.array(z.strictObject({ event: z.string(), rule: z.string(), message: z.string().optional() })),
    }),
    status: 200,
    refusals: [400, 404, 413],
    maxBody: 4_000_000,
    example: { source: "stripe", objects: [{ id: "cus_1", object: "customer" }], dryRun: true },
  }),
} as const;
