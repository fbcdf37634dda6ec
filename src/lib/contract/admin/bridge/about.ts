import * as z from "zod";
import { operation } from "../../operation.ts";

const names = z.record(z.string(), z.string());

/** How this bridge is configured. No secret is in it. */
export const about = {
  get: operation({
    method: "GET",
    path: "/about",
    summary: "Show how the bridge is configured",
    request: z.strictObject({}),
    response: z.strictObject({
      version: z.string(),
      /** The team that the API key names; null for a key of another email service. */
      team: z.string().nullable(),
      /** `problem`: why the host cannot be called. */
      host: z.strictObject({
        kind: z.enum(["embedded", "other"]),
        url: z.string().nullable(),
        problem: z.string().nullable(),
      }),
      contactProperties: z.enum(["nested", "flat"]),
      retentionDays: z.number(),
      maxJournalMb: z.number(),
      /** Empty: all recipients are allowed. */
      allowedRecipients: z.array(z.string()),
      /** Template name to transactionalId. */
      templates: names,
      /** Mailing list name to id. */
      lists: names,
      /** True where alerts are delivered to an address. */
      alertUrl: z.boolean(),
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
