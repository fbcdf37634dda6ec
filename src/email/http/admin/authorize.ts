import { keyRefusal, type Refusal } from "../../../lib/contract/errors.ts";
import { bearerOf } from "../../../lib/util/bearer.ts";
import { sameText } from "../../../lib/util/hmac.ts";
import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";

export const authorizeOperator = async (
  env: Env,
  request: globalThis.Request,
): Promise<{ auth: string } | { refusal: Refusal }> => {
  const token = bearerOf(request);
  if (token === undefined) {
    return { refusal: keyRefusal("missing_api_key", "Send the admin token as Authorization: Bearer <token>.") };
  }
  if (!env.ADMIN_TOKEN) log("admin_refused", { reason: "ADMIN_TOKEN is not set" });
  const ok = env.ADMIN_TOKEN && (await sameText(token, env.ADMIN_TOKEN));
  return ok
    ? { auth: new URL(request.url).origin }
    : { refusal: keyRefusal("invalid_api_key", "This admin token is not valid.") };
};
