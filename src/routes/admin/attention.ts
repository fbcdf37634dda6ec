import { Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { cursor } from "../../lib/contract/admin/bridge/fields.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { callIdOf } from "../../outbox/operator/sentences.ts";
import { query } from "./params.ts";
import { reachOf } from "./show.ts";

export const attention = new Hono<{ Bindings: Env }>().get("/attention", async (c) => {
  const given = query(c.req.raw, { cursor });
  if (given instanceof Response) return given;
  const { causes, ...reach } = await callObject(() => outboxOf(c.env).causes(given.cursor));
  const data = causes.map(({ first, last, examples, ...rest }) => ({
    ...rest,
    first: isoOf(first),
    last: isoOf(last),
    examples: examples.map(callIdOf),
  }));
  return c.json({ data, ...reachOf(reach) });
});
