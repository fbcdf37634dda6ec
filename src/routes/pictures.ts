import { Hono } from "hono";
import type { Env } from "../env.ts";
import { refuse } from "./refusal-codes.ts";

/** Passes uploads and pictures to the email Worker. */
export const pictures = new Hono<{ Bindings: Env }>();

for (const path of ["/uploads/*", "/assets/*"]) {
  pictures.all(path, ({ env, req }) =>
    env.EMAIL && !env.EMAIL_API_URL
      ? env.EMAIL.fetch(req.raw)
      : refuse("not_found", "There is no email Worker beside this bridge."),
  );
}
