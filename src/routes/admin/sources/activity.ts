import { Hono } from "hono";
import { type Env, outboxOf } from "../../../env.ts";
import { step } from "../../../lib/contract/admin/bridge/activity.ts";
import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import { callObject } from "../../../lib/util/retry-object.ts";
import { query, webhookFields } from "../params.ts";

/** One step never has as many, so a response contains a whole step. */
const ROWS = 1_500;
const BUCKETS = { "5m": 1, "1h": 12 } as const;

export const activity = new Hono<{ Bindings: Env }>().get("/activity", async (c) => {
  const { source, since, until } = webhookFields;
  const given = query(c.req.raw, { source, since, until, step });
  if (given instanceof Response) return given;
  const now = Date.now();
  const asked = {
    since: given.since ?? (given.until ?? now) - DAY_MS,
    until: given.until ?? now + 1,
    step: BUCKETS[given.step ?? "1h"],
    limit: ROWS,
    ...(given.source === undefined ? {} : { source: given.source }),
  };
  const { activity: rows, next } = await callObject(() => outboxOf(c.env).activity(asked));
  return c.json({
    data: rows.map(({ at, source: of, ...counts }) => ({ at: isoOf(at), source: of, ...counts })),
    next: next === undefined ? null : isoOf(next),
  });
});
