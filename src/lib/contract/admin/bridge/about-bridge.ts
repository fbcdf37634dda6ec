import * as z from "zod";
import { read } from "../../operation.ts";

const names = z.record(z.string(), z.string());

/** The bridge's configuration without secrets. */
export const about = {
  get: read("viewer", {
    path: "/about",
    summary: "Show how the bridge is configured",
    request: z.strictObject({}),
    response: z.strictObject({
      version: z.string(),
      /** Null for a key of another email service. */
      team: z.string().nullable(),
      /** `problem`: why the email service cannot be called. */
      service: z.strictObject({
        kind: z.enum(["embedded", "other"]),
        url: z.string().nullable(),
        problem: z.string().nullable(),
      }),
      contactProperties: z.enum(["nested", "flat"]),
      retentionDays: z.number(),
      maxJournalMb: z.number(),
      /** An empty list allows all recipients. */
      allowedRecipients: z.array(z.string()),
      ignoredRecipients: z.array(z.string()),
      templates: names,
      lists: names,
      alertUrl: z.boolean(),
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
