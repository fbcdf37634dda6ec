import * as z from "zod";
import { read } from "../operation.ts";

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
          /** Such as a source, a rule or a team; empty if the kind has only one subject. */
          subject: z.string(),
          /** Null for past alerts and single occurrences. */
          since: z.string().nullable(),
          notifiedAt: z.string(),
          /** Occurrences in the last notice, and after it. */
          count: z.int(),
          /** Empty if the alert lasted and has ended. */
          message: z.string(),
        }),
      ),
      pending: z.int(),
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
