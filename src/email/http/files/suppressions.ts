import { Hono } from "hono";
import * as z from "zod";
import { team } from "../../../lib/contract/admin/email/fields.ts";
import { suppressionFilters } from "../../../lib/contract/admin/email/people/suppressions.ts";
import { answer } from "../../../lib/contract/mount.ts";
import { operation } from "../../../lib/contract/operation.ts";
import type { Env } from "../../env.ts";
import { authorizeOperator } from "../admin/authorize.ts";
import { csvFile, fileReader, refuseMethod } from "./csv.ts";

const file = operation({
  method: "GET",
  path: "/teams/{team}/suppressions.csv",
  summary: "Download the suppressed addresses of a team",
  request: z.strictObject({ team, ...suppressionFilters }),
  response: z.string(),
  status: 200,
  refusals: [400, 404],
  text: true,
  example: { team: "acme" },
});

const read = fileReader("suppressions.file", file);

/** `GET /admin/teams/{team}/suppressions.csv` */
export const suppressionsFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/suppressions.csv";
  app.all(path, refuseMethod("GET"));
  app.get(path, async (c) => {
    const authorized = await authorizeOperator(env, c.req.raw);
    if ("refusal" in authorized) return answer(authorized);
    const asked = await read(c);
    if ("refusal" in asked) return answer(asked);
    const { input: data } = asked;
    return csvFile(`${data.team}-suppressions.csv`, "", "", async (after) => {
      const input = { ...data, after };
      return (await env.WORKSPACE.getByName(data.team).admin({ operation: "suppressions.file", input }, "")).reply;
    });
  });
  return app;
};
