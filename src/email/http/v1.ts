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

/** `keyHash`: null for the operator. */
export type Caller = { team: string; keyHash: string | null; origin: string };

/**
 * The v1 API over the teams' objects. The tag of the API key is checked here, so that a forged team name creates no
 * object. The object of the team does everything else in one call.
 */
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

/** Runs a request in the object of its team. */
export const runForTeam = async (env: Env, { team, ...caller }: Caller, request: ApiRequest): Promise<Reply> => {
  const reply = await env.WORKSPACE.getByName(team).run({ ...caller, request });
  return request.operation === "uploads.create" ? signed(reply, env.API_KEY_SECRET ?? "") : reply;
};

/** Signs the address of an upload here, because WebCrypto cannot be used in the transaction that makes it. */
const signed = async (reply: Reply, secret: string): Promise<Reply> => {
  if ("refusal" in reply) return reply;
  const body = reply.body as Response<V1["uploads"]["create"]>;
  return { ...reply, body: { ...body, presignedUrl: await signUrl(body.presignedUrl, secret) } };
};
