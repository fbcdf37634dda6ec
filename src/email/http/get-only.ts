import type { Hono } from "hono";
import { answer } from "../../lib/contract/mount.ts";

/** Makes paths read-only: every method but GET and HEAD gets 405. Call it after the GET routes are mounted. */
export const getOnly = (app: Hono, ...paths: string[]): void => {
  for (const path of paths) {
    app.all(path, (c) => {
      const message = `${c.req.method} is not allowed here; use GET.`;
      return answer({ refusal: { code: "method_not_allowed", message }, headers: { Allow: "GET" } });
    });
  }
};
