import * as z from "zod";
import { read } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./bridge-fields.ts";

const { source, since, until } = webhookFields;
const refused = { source: z.string(), code: z.string(), count };

export const refusals = {
  list: read("viewer", {
    path: "/refusals",
    summary: "Count the webhooks that were refused",
    request: some({ source, since, until }),
    response: z.strictObject({
      data: z.array(z.strictObject({ minute: time, ...refused })),
      totals: z.array(z.strictObject(refused)),
      next: time.nullable(),
    }),
    status: 200,
    refusals: [400],
    example: { since: "1d" },
  }),
} as const;

export const metrics = {
  get: read("viewer", {
    path: "/metrics",
    summary: "Metrics as Prometheus text",
    request: z.strictObject({}),
    response: z.string(),
    text: true,
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;

export const alerts = {
  list: read("viewer", {
    path: "/alerts",
    summary: "List open and recent alerts, newest notice first",
    request: z.strictObject({}),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          kind: z.string(),
          /** A source or rule; empty if the kind has only one subject. */
          subject: z.string(),
          /** Null for past alerts and single occurrences. */
          since: time.nullable(),
          notifiedAt: time,
          count,
          /** Empty after the notice, if the alert has ended. */
          message: z.string(),
        }),
      ),
      pending: count,
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
