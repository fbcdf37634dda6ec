import type { Hono } from "hono";
import { keyRefusal } from "../../lib/contract/errors.ts";
import { type Call, mount, type Reply, type Service } from "../../lib/contract/mount.ts";
import type { Request } from "../../lib/contract/operation.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { digest, sameText } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import { adminContract } from "../admin/contract.ts";
import type { createKey } from "../admin/keys.ts";
import type { createTeam, listTeams } from "../admin/teams.ts";
import type { Env } from "../env.ts";
import { DIRECTORY_NAME } from "../types/directory.ts";
import type { AdminCall } from "../types/workspace.ts";
import { newKey } from "./api-key-format.ts";

const service = (env: Env): Service<true> => ({
  async authorize(request) {
    const token = bearerOf(request);
    if (token === undefined) {
      return { refusal: keyRefusal("missing_api_key", "Send the admin token as Authorization: Bearer <token>.") };
    }
    if (!env.ADMIN_TOKEN) log("admin_refused", { reason: "ADMIN_TOKEN is not set" });
    const ok = env.ADMIN_TOKEN && (await sameText(token, env.ADMIN_TOKEN));
    return ok ? { auth: true } : { refusal: keyRefusal("invalid_api_key", "This admin token is not valid.") };
  },
  run: (_, call) => run(env, call),
});

const run = async (env: Env, call: Call): Promise<Reply> => {
  if ("refusal" in call) return call;
  // Inputs were parsed by the schemas of the contract.
  switch (call.operation) {
    case "teams.list":
      return env.DIRECTORY.getByName(DIRECTORY_NAME).list(call.input as Request<typeof listTeams>);
    case "teams.create": {
      const { id, ...settings } = call.input as Request<typeof createTeam>;
      return inTeam(env, id, { operation: "teams.create", input: { ...settings, team: id } });
    }
    case "keys.create":
      return makeKey(env, call.input as Request<typeof createKey>);
    default:
      return inTeam(env, String(call.input.team), call as AdminCall);
  }
};

/**
 * The call goes to the team's object; who is there is entered in the Directory, also a team that is older than it. That
 * it cannot be entered is no reason to lose the answer, which may be a key: the next call enters it.
 */
const inTeam = async (env: Env, team: string, call: AdminCall): Promise<Reply> => {
  const { reply, listed } = await env.WORKSPACE.getByName(team).admin(call);
  if (!listed) return reply;
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).register(listed);
  } catch (error) {
    log("team_not_listed", { team, error: error instanceof Error ? error.message : String(error) });
  }
  return reply;
};

const makeKey = async (env: Env, { team, name }: Request<typeof createKey>): Promise<Reply> => {
  if (!env.API_KEY_SECRET) {
    log("key_not_created", { reason: "API_KEY_SECRET is not set" });
    return { refusal: { code: "internal_error", message: "API_KEY_SECRET is not set on the email Worker." } };
  }
  const key = await newKey(team, env.API_KEY_SECRET);
  // Six of the 32 random characters: they tell keys apart, and guess none.
  const prefix = key.slice(0, `ms_${team}_`.length + 6);
  const reply = await inTeam(env, team, {
    operation: "keys.create",
    input: { team, name, hash: await digest(key), prefix },
  });
  return "refusal" in reply ? reply : { ...reply, body: { ...(reply.body as object), key } };
};

/** Mounts the operations of `adminContract` under `/admin`, for the bearer that equals ADMIN_TOKEN. */
export const mountAdmin = (app: Hono, env: Env): void => mount(app, "/admin", adminContract, service(env));
