import * as z from "zod";
import { operation } from "../../lib/contract/operation.ts";
import { done, id, name, team } from "./fields.ts";

export const listKeys = operation({
  method: "GET",
  path: "/teams/{team}/keys",
  summary: "List a team's API keys, revoked ones too",
  request: z.object({ team }),
  response: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        /** Its beginning, enough to tell keys apart; null for one made before it was recorded. */
        prefix: z.string().nullable(),
        name: z.string(),
        createdAt: z.string(),
        revokedAt: z.string().nullable(),
      }),
    ),
  }),
  status: 200,
  refusals: [400, 404],
});

export const createKey = operation({
  method: "POST",
  path: "/teams/{team}/keys",
  summary: "Create an API key, shown once",
  request: z.object({ team, name }),
  response: z.object({ success: z.literal(true), id: z.string(), key: z.string() }),
  status: 201,
  refusals: [400, 404],
});

export const revokeKey = operation({
  method: "DELETE",
  path: "/teams/{team}/keys/{keyId}",
  summary: "Revoke an API key: it is refused from now on",
  request: z.object({ team, keyId: id }),
  response: done,
  status: 200,
  refusals: [400, 404],
});
