import type { Hono } from "hono";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { mount, type Service } from "../../lib/contract/mount.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Env } from "../env.ts";
import { authorizeOperator } from "./admin/authorize.ts";
import { runAdmin } from "./admin/handlers.ts";
import { OPERATOR_V1, operatorService } from "./admin/v1.ts";

type Clock = () => number;

const service = (env: Env, clock: Clock): Service<string> => ({
  authorize: (request) => authorizeOperator(env, request),
  run: async (origin, request) =>
    "refusal" in request ? request : runAdmin({ env, origin, now: clock() }, request.operation, request.input),
});

/** Mounts `/admin` and each team's v1 API for ADMIN_TOKEN. `clock` returns Unix ms. */
export const mountAdmin = (app: Hono, env: Env, clock: Clock): void => {
  // First, because `/admin` answers all its subpaths.
  mount(app, OPERATOR_V1, v1, operatorService(env));
  mount(app, "/admin", adminContract, service(env, clock));
};
