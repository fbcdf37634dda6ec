import { Hono } from "hono";
import type { Env } from "../env.ts";
import { bearerOf } from "../lib/util/bearer.ts";
import { sameText } from "../lib/util/hmac.ts";
import { about } from "./admin/about.ts";
import { attention } from "./admin/attention.ts";
import { backfill } from "./admin/backfill.ts";
import { calls } from "./admin/calls.ts";
import { delivery } from "./admin/delivery.ts";
import { metrics } from "./admin/metrics.ts";
import { people } from "./admin/people.ts";
import { replay } from "./admin/replay.ts";
import { rules } from "./admin/rules.ts";
import { activity } from "./admin/sources/activity.ts";
import { sources } from "./admin/sources/sources.ts";
import { webhooks } from "./admin/webhooks.ts";
import { refuse } from "./errors.ts";
import { operatorGateway } from "./gateway.ts";

const methodsOf = (path: string): string[] => [
  ...new Set(
    admin.routes
      .filter((route) => route.method !== "ALL" && patternOf(route.path).test(path.replace(/^\/admin/, "")))
      .map(({ method }) => method),
  ),
];

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);

/** The operator API. Every route requires `Authorization: Bearer` with ADMIN_TOKEN. */
export const admin = new Hono<{ Bindings: Env }>()
  .use("*", async (c, next) => {
    const token = bearerOf(c.req.raw) ?? "";
    const secret = c.env.ADMIN_TOKEN ?? "";
    if (secret !== "" && (await sameText(token, secret))) return next();
    return refuse("unauthorized", "Send Authorization: Bearer with the value of ADMIN_TOKEN.", {
      "WWW-Authenticate": "Bearer",
    });
  })
  .route("/webhooks", webhooks)
  .route("/calls", calls)
  .route("/", about)
  .route("/", attention)
  .route("/", rules)
  .route("/", sources)
  .route("/", activity)
  .route("/", replay)
  .route("/", delivery)
  .route("/", people)
  .route("/", metrics)
  .route("/backfill", backfill)
  .route("/", operatorGateway);

admin.all("*", (c) => {
  const { method, path } = c.req;
  const methods = methodsOf(path);
  if (methods.length === 0)
    return refuse(
      "not_found",
      "There is no such path under /admin. GET /admin/status is one; docs/admin-api.md has all.",
    );
  const allowed = methods.join(", ");
  return refuse("method_not_allowed", `${method} is not allowed on ${path}; use ${allowed}.`, { Allow: allowed });
});
