import { Hono } from "hono";
import { type Env, outboxOf } from "../env.ts";
import { bearerOf } from "../lib/bearer.ts";
import { sameText } from "../lib/hmac.ts";
import { acceptedAt, idOf } from "../outbox/journal.ts";
import type { Journalled } from "../outbox/types.ts";
import { refuse } from "./refuse.ts";

/** The ledger for people and tools. Every route needs `Authorization: Bearer` ADMIN_TOKEN. */
export const admin = new Hono<{ Bindings: Env }>()
  .use("*", async (c, next) => {
    const token = bearerOf(c.req.raw) ?? "";
    const secret = c.env.ADMIN_TOKEN ?? "";
    if (secret !== "" && (await sameText(token, secret))) return next();
    return refuse("unauthorized", "Send Authorization: Bearer with the value of ADMIN_TOKEN.", {
      "WWW-Authenticate": "Bearer",
    });
  })
  .get("/webhooks", async (c) => {
    const limit = Math.min(100, Math.max(1, Math.trunc(Number(c.req.query("limit") ?? 20)) || 20));
    const webhooks = await outboxOf(c.env).webhooks(limit, c.req.query("before"));
    return c.json({ data: webhooks.map(shown).map(({ body: _, ...webhook }) => webhook) });
  })
  .get("/webhooks/:id", async (c) => {
    const webhook = await outboxOf(c.env).webhook(c.req.param("id"));
    return webhook
      ? c.json(shown(webhook))
      : refuse("not_found", "There is no webhook with this id; it may have been purged.");
  });

const shown = ({ seq, rank: _rank, secretPaths: _paths, ...webhook }: Journalled) => ({
  id: idOf(seq),
  acceptedAt: new Date(acceptedAt(seq)).toISOString(),
  ...webhook,
});
