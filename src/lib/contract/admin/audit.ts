import * as z from "zod";
import { read } from "../operation.ts";
import { webhookFields } from "./bridge/bridge-fields.ts";

const { since, until } = webhookFields;

const entry = z.object({
  id: z.string(),
  at: z.string(),
  /** A person of the dashboard, or "token". */
  who: z.string(),
  /** The client address, of IPv6 the network; "local" on your machine. */
  from: z.string().nullable(),
  /** `<half>.<group>.<name>`, such as "email.keys.create". */
  operation: z.string(),
  /** In words, such as "Create an API key, shown once". Null for an operation that is gone. */
  summary: z.string().nullable(),
  ids: z.record(z.string(), z.string()),
  status: z.int(),
});

/** The list of acts, which all three Workers have. */
export const audit = {
  list: read("viewer", {
    path: "/audit",
    summary: "List who changed what, newest first",
    request: z.strictObject({
      who: z.string().max(320).optional(),
      from: z.string().max(100).optional(),
      /** A name or prefix: "bridge.deliveries". */
      operation: z.string().max(100).optional(),
      since: since.optional(),
      until: until.optional(),
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, "must be the `next` of an earlier answer")
        .transform(Number)
        .optional(),
    }),
    response: z.object({ data: z.array(entry), next: z.string().nullable() }),
    status: 200,
    refusals: [400],
    example: {},
  }),
} as const;
