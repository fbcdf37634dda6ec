import type { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";

/** Answers 405 except for GET and HEAD. Call it after the GET routes. */
export const getOnly = (app: Hono, ...paths: string[]): void => {
  for (const path of paths) {
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use GET.`;
      return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET" } });
    });
  }
};
