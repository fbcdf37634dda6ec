import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { flag, pageFields } from "../../lib/contract/admin/bridge/fields.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/calls.ts";
import { refuse } from "../errors.ts";
import { filterOf, pageOf, query, searchFields } from "./params.ts";
import { reachOf, webhookOf, wholeOf } from "./show.ts";

const LIMIT = 20;

export const webhooks = new Hono<{ Bindings: Env }>()
  .get("/", async (c) => {
    const given = query(c.req.raw, { ...searchFields, ...pageFields });
    if (given instanceof Response) return given;
    const found = await callObject(() => outboxOf(c.env).searchWebhooks(filterOf(given), pageOf(given, LIMIT)));
    return c.json({ data: found.webhooks.map(webhookOf), ...reachOf(found) });
  })
  .get("/:webhookId", async (c) => {
    const given = query(c.req.raw, { body: flag });
    if (given instanceof Response) return given;
    const seq = seqOf(c.req.param("webhookId"));
    const shown = seq === undefined ? null : await callObject(() => outboxOf(c.env).show(seq));
    return shown ? c.json(wholeOf(shown, Date.now(), given.body ?? true)) : notFound();
  });

export const notFound = (): Response =>
  refuse("not_found", "There is no webhook with this id, or it was purged. An id looks like wh_abc.");
