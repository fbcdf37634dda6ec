import * as z from "zod";
import { email } from "../../lib/contract/email.ts";
import { operation } from "../../lib/contract/operation.ts";
import { done, team } from "./fields.ts";

export const suppressions = {
  /** The address need not belong to a contact. */
  add: operation({
    method: "POST",
    path: "/teams/{team}/suppressions",
    summary: "Suppress an address: no mail is sent to it",
    request: z.object({ team, email }),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", email: "ada@example.com" },
  }),
};
