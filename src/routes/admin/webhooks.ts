import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/calls.ts";
import type { Shown } from "../../outbox/operator/operator.ts";
import type { Reach } from "../../outbox/operator/search.ts";
import { refuse } from "../errors.ts";
import { filterOf, flag, pageReaders, query, searchReaders } from "./params.ts";
import { reachOf, webhookOf, wholeOf } from "./show.ts";

const LIMIT = 20;

/** Search of webhooks, and one with all that happened to it. */
export const webhooks = new Hono<{ Bindings: Env }>()
  .get("/", async (c) => {
    const given = query(c.req.raw, { ...searchReaders, ...pageReaders }, Date.now());
    if (given instanceof Response) return given;
    const { limit = LIMIT, cursor: before } = given;
    const part = { limit, ...(before === undefined ? {} : { before }) };
    const found: Reach & { webhooks: Shown[] } = await callObject(
      async () =>
        (await outboxOf(c.env).searchWebhooks(filterOf(given), part)) as unknown as Reach & { webhooks: Shown[] },
    );
    return c.json({ data: found.webhooks.map(webhookOf), ...reachOf(found) });
  })
  .get("/:id", async (c) => {
    const given = query(c.req.raw, { body: flag }, Date.now());
    if (given instanceof Response) return given;
    const seq = seqOf(c.req.param("id"));
    const shown =
      seq === undefined
        ? null
        : await callObject(async () => outboxOf(c.env).show(seq) as unknown as Promise<Shown | null>);
    return shown ? c.json(wholeOf(shown, Date.now(), given.body ?? true)) : notFound();
  });

export const notFound = (): Response =>
  refuse("not_found", "There is no webhook with this id; it may have been purged. An id looks like wh_abc.");
