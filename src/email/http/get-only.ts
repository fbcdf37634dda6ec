import type { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";

/** Answers every verb but GET and HEAD with 405 at paths that are only read. Call it after their GET is mounted. */
export const getOnly = (app: Hono, ...paths: string[]): void => {
  for (const path of paths) {
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use GET.`;
      return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET" } });
    });
  }
};
