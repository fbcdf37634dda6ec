import { Hono } from "hono";
import * as z from "zod";
import { recipientFilters } from "../../../lib/contract/admin/email/campaigns/statistics.ts";
import { team } from "../../../lib/contract/admin/email/fields.ts";
import { refusalOf, wording } from "../../../lib/contract/errors.ts";
import { resourceId } from "../../../lib/contract/fields.ts";
import { answer } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { authorizeOperator } from "../admin/authorize.ts";
import { csvFile, refuseMethod } from "./csv.ts";

const asked = z.object({ team, campaignId: resourceId, ...recipientFilters });

/** `GET /admin/teams/{team}/campaigns/{campaignId}/recipients.csv`, with the filters of the list of recipients. */
export const recipientsFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/campaigns/:campaignId/recipients.csv";
  app.all(path, refuseMethod("GET"));
  app.get(path, async (c) => {
    const authorized = await authorizeOperator(env, c.req.raw);
    if ("refusal" in authorized) return answer(authorized);
    // An empty value is not given, as in other requests.
    const query = Object.entries(c.req.query()).filter(([, value]) => value !== "");
    const read = asked.safeParse({ ...Object.fromEntries(query), ...c.req.param() }, { error: wording });
    if (!read.success) return answer({ refusal: refusalOf(read.error) });
    const { data } = read;
    // An id may have characters that end the name of a file.
    return csvFile(`${data.campaignId.replaceAll(/\W/g, "")}-recipients.csv`, "", 0, async (after) => {
      const input = { ...data, after };
      return (await env.WORKSPACE.getByName(data.team).admin({ operation: "statistics.file", input }, "")).reply;
    });
  });
  return app;
};
