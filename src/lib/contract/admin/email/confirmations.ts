import * as z from "zod";
import { email } from "../../email.ts";
import { page } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { team } from "./email-fields.ts";
import { sendStates } from "./sends.ts";

const pending = z.object({
  id: z.string(),
  email: z.string(),
  userId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  asked: z.object({ sendId: z.string(), state: z.enum(sendStates), at: z.string() }).nullable(),
});

export const confirmations = {
  /** One page may be empty before the end. */
  list: read("viewer", {
    path: "/teams/{team}/confirmations",
    summary: "List contacts that have not confirmed their subscription, newest first",
    request: z.strictObject({ team, ...page }),
    response: z.object({ data: z.array(pending), next: z.string().nullable() }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", perPage: "20" },
  }),

  send: act("support", {
    method: "POST",
    path: "/teams/{team}/confirmations",
    summary: "Ask a contact again to confirm its subscription",
    danger: false,
    request: z.strictObject({ team, email }),
    response: z.object({ success: z.literal(true), id: z.string() }),
    status: 201,
    refusals: [400, 404, 409],
    example: { team: "acme", email: "eve@example.com" },
  }),
};
