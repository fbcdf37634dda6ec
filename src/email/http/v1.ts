import { keyRefusal } from "../../lib/contract/errors.ts";
import type { Service } from "../../lib/contract/mount.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { digest } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "../env.ts";
import { teamOfKey } from "./signed-key.ts";

type Caller = { team: string; keyHash: string; origin: string };

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
  run: ({ team, ...caller }, request) => env.WORKSPACE.getByName(team).run({ ...caller, request }),
});
