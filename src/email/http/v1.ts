import { keyRefusal } from "../../lib/contract/errors.ts";
import type { Service } from "../../lib/contract/mount.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { digest } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "../env.ts";
import { teamOfKey } from "./api-key-format.ts";

type Caller = { team: string; keyHash: string };

/**
 * The v1 API over the teams' objects: the key's tag is checked here, so that a forged name creates no object; all the
 * rest is one call to the object of the team the key names.
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
    return { auth: { team, keyHash: await digest(key) } };
  },
  run: ({ team, keyHash }, call) => env.WORKSPACE.getByName(team).call({ keyHash, call }),
});
