import { isTrue } from "../../lib/contract/access.ts";
import { keyRefusal } from "../../lib/contract/errors.ts";
import { answer } from "../../lib/contract/mount.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { sameText } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import { stateProblemOf } from "../../lib/util/migrate.ts";
import type { Env } from "./env.ts";
import type { Logins } from "./logins.ts";
import { adminTokenOf, loginsOf } from "./person.ts";
import { dataHeaders } from "./shell.ts";

/** False for a browser, which is led to the page Throughput. */
export const asksForHealth = (request: Request): boolean => !request.headers.get("Accept")?.includes("text/html");

/** Answers `GET /health`. `?deep=1` needs ADMIN_TOKEN and tries a write. `now`: Unix ms. */
export const healthAnswer = async (env: Env, request: Request, now: number): Promise<Response> => {
  const admin = adminTokenOf(env);
  const isDeep = isTrue(new URL(request.url).searchParams.get("deep"));
  if (isDeep) {
    const token = bearerOf(request) ?? "";
    if ("refusal" in admin) return answer({ refusal: admin.refusal, headers: dataHeaders });
    if (!(await sameText(token, admin.token)))
      return answer({ refusal: keyRefusal("invalid_api_key", "This admin token is not valid."), headers: dataHeaders });
  }
  const { reason, deep } = await loginsState(env, now, isDeep);
  const reasons = [
    ...("refusal" in admin ? [admin.refusal.message] : []),
    ...(env.BRIDGE || env.EMAIL ? [] : ["neither the bridge nor the email Worker is bound"]),
    ...(reason === undefined ? [] : [reason]),
  ];
  const status = reasons.length === 0 ? "ok" : "degraded";
  return Response.json({ status, reasons, ...(isDeep ? { deep } : {}) }, { headers: dataHeaders });
};

type Deep = Awaited<ReturnType<Logins["pulse"]>>;

const loginsState = async (env: Env, now: number, write: boolean): Promise<{ reason?: string; deep: Deep | null }> => {
  try {
    return { deep: await loginsOf(env).pulse(now, write) };
  } catch (error) {
    if (stateProblemOf(error)) throw error;
    log("logins_failed", { error: error instanceof Error ? error.message : String(error) });
    return { reason: `the logins do not answer${write ? ", or cannot be written" : ""}`, deep: null };
  }
};
