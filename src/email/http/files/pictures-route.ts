import { Hono } from "hono";
import { fileContract } from "../../../lib/contract/admin/email/files.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { answer } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { noBucket, readExactly, receive } from "../uploads.ts";
import { fileReader, refuseMethod } from "./csv-answer.ts";

const read = fileReader("uploads.file", fileContract.uploads.file);

const notThere: Refusal = {
  code: "upload_not_found",
  path: "uploadId",
  message: "There is no picture of this upload.",
};

/** `GET` and `PUT /admin/teams/{team}/uploads/{uploadId}/file` for the operator. */
export const pictureFileRoutes = (env: Env): Hono => {
  const app = new Hono();
  const path = "/admin/teams/:team/uploads/:uploadId/file";
  app.all(path, refuseMethod("GET, PUT"));
  app.get(path, async (c) => {
    const asked = await read(c);
    if ("refusal" in asked) return answer(asked);
    const { team: of, uploadId } = asked.input;
    if (!env.UPLOADS) return answer({ refusal: noBucket });
    const stored = await env.WORKSPACE.getByName(of).storedUpload(uploadId);
    const picture = stored?.arrived ? await env.UPLOADS.get(stored.file) : null;
    if (!stored || !picture) return answer({ refusal: notThere });
    return new Response(picture.body, {
      headers: { "Content-Type": stored.type, "X-Content-Type-Options": "nosniff" },
    });
  });
  app.put(path, async (c) => {
    const asked = await read(c);
    const refusal =
      "refusal" in asked ? asked.refusal : await receive(env, c.req.raw, asked.input.team, asked.input.uploadId);
    if (!refusal) return c.json({ success: true });
    // A client that is disconnected while it sends sees no answer.
    if (!c.req.raw.bodyUsed) await readExactly(c.req.raw, 0);
    return answer({ refusal });
  });
  return app;
};
