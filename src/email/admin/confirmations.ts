import * as z from "zod";
import { email } from "../../lib/contract/email.ts";
import { operation } from "../../lib/contract/operation.ts";
import { team } from "./fields.ts";

export const confirmations = {
  send: operation({
    method: "POST",
    path: "/teams/{team}/confirmations",
    summary: "Ask a contact again to confirm its subscription",
    request: z.object({ team, email }),
    response: z.object({ success: z.literal(true), id: z.string() }),
    status: 201,
    refusals: [400, 404, 409],
    example: { team: "acme", email: "eve@example.com" },
  }),
};
