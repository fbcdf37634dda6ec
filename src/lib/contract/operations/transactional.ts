import * as z from "zod";
import { email } from "../email.ts";
import { page, paginated, recorded, variableValues } from "../fields.ts";
import { act, read } from "../operation.ts";

const published = z
  .object({ id: z.string(), name: z.string(), lastUpdated: z.string(), dataVariables: z.array(z.string()) })
  .meta({ id: "PublishedTransactionalEmail" });
const attachment = z
  .object({ filename: z.string(), contentType: z.string(), data: z.string() })
  .meta({ id: "Attachment" });

export const transactional = {
  send: act("editor", {
    method: "POST",
    path: "/transactional",
    summary: "Send a transactional email",
    danger: false,
    request: z.object({
      transactionalId: z.string().min(1, "must not be empty").max(100, "must be at most 100 characters"),
      email,
      dataVariables: variableValues.optional(),
      addToAudience: z.boolean("must be true or false").optional(),
      attachments: z.array(attachment).optional(),
    }),
    response: recorded,
    status: 200,
    refusals: [400, 404, 409],
    refusesWithSuccess: true,
    idempotent: true,
    errorObject: true,
    maxBody: 4_000_000,
    lane: "transactional",
    example: { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } },
  }),

  list: read("viewer", {
    path: "/transactional",
    summary: "List published transactional emails",
    request: z.object(page),
    response: paginated(published),
    status: 200,
    refusals: [400],
    example: { perPage: "10" },
  }),
};
