import * as z from "zod";
import { operation } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./fields.ts";

const { source, since, until } = webhookFields;

/** The lengths of a step. */
export const step = z.enum(["5m", "1h"]).describe("5m or 1h");

/** How many webhooks and calls there were over time. */
export const activity = {
  list: operation({
    method: "GET",
    path: "/activity",
    summary: "Count webhooks and calls over time, newest first",
    request: some({ source, since, until, step }),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          /** The start of the step. */
          at: time,
          source: z.string(),
          accepted: count,
          duplicate: count,
          refused: count,
          /** Calls that were settled, by state. */
          done: count,
          dead: count,
          parked: count,
          skipped: count,
          superseded: count,
          /** Ms from the acceptance of a webhook until a call was done, to an eighth: of half of the calls, and of 95 %. */
          p50: count.nullable(),
          p95: count.nullable(),
        }),
      ),
      /** The `until` of the next request; null at the end. */
      next: time.nullable(),
    }),
    status: 200,
    refusals: [400],
    example: { since: "1d", step: "1h" },
  }),
} as const;
