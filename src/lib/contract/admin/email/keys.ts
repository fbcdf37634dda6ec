import * as z from "zod";
import { resourceId, resourceName } from "../../fields.ts";
import { act, read } from "../../operation.ts";
import { done, team } from "./email-fields.ts";

const apiKey = z.object({
  id: z.string(),
  /** The first characters of the key. */
  prefix: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** At most an hour before the last successful request; null if none is known. */
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

export const keys = {
  list: read("viewer", {
    path: "/teams/{team}/keys",
    summary: "List a team's API keys, revoked ones too",
    request: z.strictObject({ team }),
    response: z.object({ data: z.array(apiKey) }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme" },
  }),

  create: act("owner", {
    method: "POST",
    path: "/teams/{team}/keys",
    summary: "Create an API key, shown once",
    danger: true,
    request: z.strictObject({ team, name: resourceName }),
    response: z.object({ success: z.literal(true), id: z.string(), key: z.string() }),
    status: 201,
    refusals: [400, 404],
    example: { team: "acme", name: "production" },
  }),

  revoke: act("owner", {
    method: "DELETE",
    path: "/teams/{team}/keys/{keyId}",
    summary: "Revoke an API key: it is refused from now on",
    danger: true,
    request: z.strictObject({ team, keyId: resourceId }),
    response: done,
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", keyId: "key_1" },
  }),
};
