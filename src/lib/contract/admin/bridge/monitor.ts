import * as z from "zod";
import { operation } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./fields.ts";

const { source, since, until } = webhookFields;
const refused = { source: z.string(), code: z.string(), count };

/** What the bridge counts. */
export const refusals = {
  list: operation({
    method: "GET",
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
  get: operation({
    method: "GET",
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
  list: operation({
    method: "GET",
    path: "/alerts",
    summary: "List open and recent alerts, newest notice first",
    request: z.strictObject({}),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          kind: z.string(),
          /** A source or a rule; empty where the kind has one subject only. */
          subject: z.string(),
          /** Since when it lasts; null for one that is over, and for single occurrences. */
          since: time.nullable(),
          toldAt: time,
          /** Occurrences since the last notice. */
          count,
          /** Empty once the notice was sent and the alert does not last. */
          message: z.string(),
        }),
      ),
      /** Notices that are not delivered yet. */
      pending: count,
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
