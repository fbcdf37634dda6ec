import { keyRefusal } from "../../lib/contract/errors.ts";
import type { Reply, Service } from "../../lib/contract/mount.ts";
import type { Response } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import type { V1 } from "../../lib/contract/v1.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { digest } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "../env.ts";
import { teamOfKey } from "./signed-key.ts";
import { signUrl } from "./signed-url.ts";

/** `keyHash` is null for the operator. */
export type Caller = { team: string; keyHash: string | null; origin: string };

/** The v1 API. The key tag is checked first, so that forged teams create no object. */
export const teamService = (env: Env): Service<Caller> => ({
  async authorize(request) {
    const key = bearerOf(request);
    if (key === undefined) {
      return { refusal: keyRefusal("missing_api_key", "Send the API key as Authorization: Bearer <key>.") };
    }
    if (!env.API_KEY_SECRET) {
      log("api_key_refused", { reason: "API_KEY_SECRET is not set" });
      return { refusal: keyRefusal("invalid_api_key") };
    }
    const team = await teamOfKey(key, env.API_KEY_SECRET);
    if (team === undefined) return { refusal: keyRefusal("invalid_api_key") };
    return { auth: { team, keyHash: await digest(key), origin: new URL(request.url).origin } };
  },
  run: (caller, request) => runForTeam(env, caller, request),
});

export const runForTeam = async (env: Env, { team, ...caller }: Caller, request: ApiRequest): Promise<Reply> => {
  const reply = await env.WORKSPACE.getByName(team).run({ ...caller, request });
  return request.operation === "uploads.create" ? signed(reply, team, env.API_KEY_SECRET ?? "") : reply;
};

/** WebCrypto cannot be used in a transaction. */
const signed = async (reply: Reply, team: string, secret: string): Promise<Reply> => {
  if ("refusal" in reply) return reply;
  const body = reply.body as Response<V1["uploads"]["create"]>;
  const presignedUrl = await signUrl(body.presignedUrl, { team, id: body.emailAssetId }, secret);
  return { ...reply, body: { ...body, presignedUrl } };
};
