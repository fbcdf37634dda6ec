import type { Hono } from "hono";
import * as z from "zod";
import { bearerOf } from "../lib/bearer.ts";
import { keyRefusal } from "../lib/contract/errors.ts";
import { mount, type Service } from "../lib/contract/mount.ts";
import { type Contract, operation, type Request } from "../lib/contract/operation.ts";
import { digest, sameText } from "../lib/hmac.ts";
import { log } from "../lib/log.ts";
import { newKey, TEAM } from "./api/keys.ts";
import type { Env } from "./env.ts";

const slug = z.string().regex(TEAM, "must have 1 to 32 characters of a-z, 0-9 and -");
const name = z.string().trim().min(1, "must not be empty").max(100, "must be at most 100 characters");

const createTeam = operation({
  method: "POST",
  path: "/teams",
  summary: "Create a team, with samples: true also its published sample templates",
  request: z.object({
    id: slug,
    name,
    /** Whether a value for an unknown contact property creates the property. */
    createProperties: z.boolean("must be true or false").default(false),
    samples: z.boolean("must be true or false").default(false),
  }),
  response: z.object({ success: z.literal(true), id: z.string(), name: z.string() }),
  status: 201,
  refusals: [400, 409],
});

const createKey = operation({
  method: "POST",
  path: "/teams/{team}/keys",
  summary: "Create an API key, shown once",
  request: z.object({ team: slug, name }),
  response: z.object({ success: z.literal(true), key: z.string() }),
  status: 201,
  refusals: [400, 404],
});

/** What the operator can do. Not part of the v1 API. */
export const adminContract = { teams: { create: createTeam }, keys: { create: createKey } } as const satisfies Contract;

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
  async run(_, call) {
    if ("refusal" in call) return call;
    // Parsed by the schemas above.
    if (call.operation === "teams.create") {
      const team = call.input as Request<typeof createTeam>;
      return env.WORKSPACE.getByName(team.id).createTeam(team);
    }
    const { team, name } = call.input as Request<typeof createKey>;
    if (!env.API_KEY_SECRET) {
      log("key_not_created", { reason: "API_KEY_SECRET is not set" });
      return { refusal: { code: "internal_error", message: "API_KEY_SECRET is not set on the email Worker." } };
    }
    const key = await newKey(team, env.API_KEY_SECRET);
    const reply = await env.WORKSPACE.getByName(team).createKey({ hash: await digest(key), name });
    return "refusal" in reply ? reply : { status: 201, body: { success: true, key } };
  },
});

/** Mounts `POST /admin/teams` and `POST /admin/teams/{team}/keys`, for the bearer that equals ADMIN_TOKEN. */
export const mountAdmin = (app: Hono, env: Env): void => mount(app, "/admin", adminContract, service(env));
