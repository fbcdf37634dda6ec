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
