import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { cursor, flag, pageFields } from "../../lib/contract/admin/bridge/fields.ts";
import { randomId } from "../../lib/util/id.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/calls.ts";
import type { CallRef } from "../../outbox/model/types.ts";
import { type Acted, NOT_FOUND } from "../../outbox/operator/actions.ts";
import { callIdOf } from "../../outbox/operator/sentences.ts";
import { refuse } from "../errors.ts";
import { actorOf } from "./actor.ts";
import { body, filterOf, pageOf, query, searchFields } from "./params.ts";
import { backlogFull, callOf, foundOf, reachOf } from "./show.ts";

const LIMIT = 20;
const EXAMPLES = 10;

export const calls = new Hono<{ Bindings: Env }>()
  .get("/", async (c) => {
    const given = query(c.req.raw, { ...searchFields, ...pageFields });
    if (given instanceof Response) return given;
    const found = await callObject(() => outboxOf(c.env).searchCalls(filterOf(given), pageOf(given, LIMIT)));
    return c.json({ data: found.calls.map(foundOf), ...reachOf(found) });
  })
  .post("/retry", async (c) => {
    const given = await body(c.req.raw, { ...searchFields, cursor, dryRun: flag });
    if (given instanceof Response) return given;
    const { dryRun = true } = given;
    const result = await outboxOf(c.env).retryAll(filterOf(given), given.cursor, dryRun, actorOf(c.req.raw));
    if ("overload" in result) return backlogFull(result.overload);
    return c.json({
      dryRun,
      retried: result.retried.length,
      refused: result.refused,
      examples: result.retried.slice(0, EXAMPLES).map(callIdOf),
      ...reachOf(result),
    });
  })
  .post("/:callId/retry", async (c) => {
    const given = await body(c.req.raw, {});
    return given instanceof Response ? given : act(c, (ref) => outboxOf(c.env).retry(ref, actorOf(c.req.raw)));
  })
  .post("/:callId/discard", async (c) => {
    const given = await body(c.req.raw, {});
    return given instanceof Response ? given : act(c, (ref) => outboxOf(c.env).discard(ref, actorOf(c.req.raw)));
  })
  .post("/:callId/send-again", async (c) => {
    const given = await body(c.req.raw, { confirm: flag });
    if (given instanceof Response) return given;
    const key = randomId("again", 40);
    return act(c, (ref) => outboxOf(c.env).sendAgain(ref, given.confirm === true, key, actorOf(c.req.raw)));
  });

const act = async (c: Context<{ Bindings: Env }>, action: (ref: CallRef) => Promise<Acted>): Promise<Response> => {
  const ref = refOf(c.req.param("callId") ?? "");
  const acted: Acted = ref ? await action(ref) : { refusal: NOT_FOUND };
  if ("refusal" in acted) return refuse(acted.refusal.code, acted.refusal.message);
  const { seq, index } = ref as CallRef;
  return c.json(callOf(seq, index, acted.call, undefined));
};

const refOf = (id: string): CallRef | undefined => {
  const [, webhook, index] = /^(wh_[0-9a-z]+)\.(\d{1,4})$/.exec(id) ?? [];
  const seq = webhook === undefined ? undefined : seqOf(webhook);
  return seq === undefined ? undefined : { seq, index: Number(index) };
};
