import { Hono } from "hono";
import { fileContract } from "../../../lib/contract/admin/email/files.ts";
import { answer } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { csvFile, fileReader, refuseMethod } from "./csv-answer.ts";

const read = fileReader("campaigns.recipientsFile", fileContract.campaigns.recipientsFile);

/** `GET /admin/teams/{team}/campaigns/{campaignId}/recipients.csv` */
export const recipientsFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/campaigns/:campaignId/recipients.csv";
  app.all(path, refuseMethod("GET"));
  app.get(path, async (c) => {
    const asked = await read(c);
    if ("refusal" in asked) return answer(asked);
    const { input: data } = asked;
    // Ids may contain unsafe file name characters.
    return csvFile(`${data.campaignId.replaceAll(/\W/g, "")}-recipients.csv`, "", 0, async (after) => {
      const input = { ...data, after };
      return (await env.WORKSPACE.getByName(data.team).admin({ operation: "campaigns.recipientsFile", input }, ""))
        .reply;
    });
  });
  return app;
};
