import { refusalOfToken } from "../../../lib/admin-token/admin-token.ts";
import { createWrongTokens } from "../../../lib/admin-token/wrong-tokens.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";

/** Returns why a request is none of the operator. */
export const operatorRefusal = async (env: Env, request: globalThis.Request): Promise<Refusal | undefined> => {
  if (!env.ADMIN_TOKEN) log("admin_refused", { reason: "ADMIN_TOKEN is not set" });
  const refused = await refusalOfToken(request, env.ADMIN_TOKEN);
  if (refused?.isWrong) await noteWrong(env, request);
  return refused?.refusal;
};

const wrongTokens = createWrongTokens();

const noteWrong = async (env: Env, request: globalThis.Request): Promise<void> => {
  const report = wrongTokens.add(request, Date.now());
  if (report.length === 0) return;
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).wrongTokens(report);
  } catch (error) {
    log("directory_failed", { error: error instanceof Error ? error.message : String(error) });
  }
};
