import * as z from "zod";
import { read } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./bridge-fields.ts";

const { source, since, until } = webhookFields;

const step = z.enum(["5m", "1h"]).describe("5m or 1h");

export const activity = {
  list: read("viewer", {
    path: "/activity",
    summary: "Count webhooks and deliveries over time, newest first",
    request: some({ source, since, until, step }),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          at: time,
          source: z.string(),
          accepted: count,
          duplicate: count,
          refused: count,
          done: count,
          failed: count,
          undecided: count,
          skipped: count,
          replaced: count,
          /** Milliseconds from webhook acceptance to a completed delivery, to an eighth: median and 95 %. */
          p50: count.nullable(),
          p95: count.nullable(),
        }),
      ),
      next: time.nullable(),
    }),
    status: 200,
    refusals: [400],
    example: { since: "1d", step: "1h" },
  }),
} as const;
