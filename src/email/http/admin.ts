import type { Hono } from "hono";
import { noteActs } from "../../lib/audit/note-acts.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { answer, mount, type Service } from "../../lib/contract/mount.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Env } from "../env.ts";
import { DIRECTORY_NAME } from "../types/directory-rpc.ts";
import { operatorRefusal } from "./admin/authorize.ts";
import { runAdmin } from "./admin/handlers.ts";
import { adminRoutes } from "./admin/routes.ts";
import { OPERATOR_V1, operatorService } from "./admin/v1.ts";

type Clock = () => number;

const service = (env: Env, clock: Clock): Service<string> => ({
  authorize: async (request) => ({ auth: new URL(request.url).origin }),
  run: async (origin, request) =>
    "refusal" in request ? request : runAdmin({ env, origin, now: clock() }, request.operation, request.input),
});

/** Requires ADMIN_TOKEN of all requests under `/admin`, and notes the acts among them. It comes before their routes. `clock` returns Unix ms. */
export const guardAdmin = (app: Hono, env: Env, clock: Clock): void => {
  app.use("/admin/*", async (c, next) => {
    const refusal = c.req.method === "OPTIONS" ? undefined : await operatorRefusal(env, c.req.raw);
    return refusal ? answer({ refusal }) : next();
  });
  app.use(
    "/admin/*",
    noteActs(
      { half: "email", routes: adminRoutes },
      (_, entry, request) => env.DIRECTORY.getByName(DIRECTORY_NAME).noteAct(entry, request),
      clock,
    ),
  );
};

/** Mounts `/admin` and each team's v1 API, behind `guardAdmin`. `clock` returns Unix ms. */
export const mountAdmin = (app: Hono, env: Env, clock: Clock): void => {
  // First, because `/admin` answers all its subpaths.
  mount(app, OPERATOR_V1, v1, operatorService(env));
  mount(app, "/admin", adminContract, service(env, clock));
};
