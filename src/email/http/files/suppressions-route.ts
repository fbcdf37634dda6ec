import { Hono } from "hono";
import { fileContract } from "../../../lib/contract/admin/email/files.ts";
import { answer } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { csvFile, fileReader, refuseMethod } from "./csv-answer.ts";

const read = fileReader("suppressions.file", fileContract.suppressions.file);

/** `GET /admin/teams/{team}/suppressions.csv` */
export const suppressionsFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/suppressions.csv";
  app.all(path, refuseMethod("GET"));
  app.get(path, async (c) => {
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
