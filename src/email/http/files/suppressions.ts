import { Hono } from "hono";
import * as z from "zod";
import { team } from "../../../lib/contract/admin/email/fields.ts";
import { suppressionFilters } from "../../../lib/contract/admin/email/people/suppressions.ts";
import { refusalOf, wording } from "../../../lib/contract/errors.ts";
import { answer } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { authorizeOperator } from "../admin/authorize.ts";
import { csvFile, refuseMethod } from "./csv.ts";

const asked = z.strictObject({ team, ...suppressionFilters });

/** `GET /admin/teams/{team}/suppressions.csv`, with the filters of the list of suppressions. */
export const suppressionsFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/suppressions.csv";
  app.all(path, refuseMethod("GET"));
  app.get(path, async (c) => {
    const authorized = await authorizeOperator(env, c.req.raw);
    if ("refusal" in authorized) return answer(authorized);
    // An empty value is not given, as in other requests.
    const query = Object.entries(c.req.query()).filter(([, value]) => value !== "");
    const read = asked.safeParse({ ...Object.fromEntries(query), ...c.req.param() }, { error: wording });
    if (!read.success) return answer({ refusal: refusalOf(read.error) });
    const { data } = read;
    return csvFile(`${data.team}-suppressions.csv`, "", "", async (after) => {
      const input = { ...data, after };
      return (await env.WORKSPACE.getByName(data.team).admin({ operation: "suppressions.file", input }, "")).reply;
    });
  });
  return app;
};
