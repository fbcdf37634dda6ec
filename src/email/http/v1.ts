import { keyRefusal } from "../../lib/contract/errors.ts";
import type { Reply, Service } from "../../lib/contract/mount.ts";
import { operationsOf, type Response } from "../../lib/contract/operation.ts";
import type { ApiRequest } from "../../lib/contract/read-request.ts";
import { type V1, v1 } from "../../lib/contract/v1.ts";
import { bearerOf } from "../../lib/util/bearer.ts";
import { isDiskFull } from "../../lib/util/full-disk.ts";
import { digest } from "../../lib/util/hmac.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "../env.ts";
import type { TeamRequest } from "../types/workspace-rpc.ts";
import { noteFailedWrite } from "./monitor/failed-writes.ts";
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
  const reply = await runInRoom(env, team, { ...caller, request });
  return request.operation === "uploads.create" ? signed(reply, team, env.API_KEY_SECRET ?? "") : reply;
};

const reads = new Set(
  operationsOf(v1)
    .filter(({ operation }) => operation.effect !== "act")
    .map(({ name }) => name),
);

/** Teams with a full disk since a failed write. A write to it resets the object, so reads of theirs count nothing. */
const full = new Set<string>();
const MOST_FULL = 1_000;

/** Asks the object once more without the writes beside the operation, if there was no room for them. */
const runInRoom = async (env: Env, team: string, request: TeamRequest): Promise<Reply> => {
  const run = (noRoom: boolean) => env.WORKSPACE.getByName(team).run(noRoom ? { ...request, noRoom } : request);
  if (full.has(team) && reads.has(request.request.operation)) return run(true);
  try {
    const reply = await run(false);
    full.delete(team);
    return reply;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    await noteFailedWrite(env, error);
    if (full.size < MOST_FULL) full.add(team);
    return run(true);
  }
};

/** WebCrypto cannot be used in a transaction. */
const signed = async (reply: Reply, team: string, secret: string): Promise<Reply> => {
  if ("refusal" in reply) return reply;
  const body = reply.body as Response<V1["uploads"]["create"]>;
  const presignedUrl = await signUrl(body.presignedUrl, { team, id: body.emailAssetId }, secret);
  return { ...reply, body: { ...body, presignedUrl } };
};
