import { outboxOf } from "../../../env.ts";
import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import { callObject } from "../../../lib/util/retry-object.ts";
import type { BridgeHandlers } from "../handler.ts";

/** One step never has as many, so a response contains a whole step. */
const ROWS = 1_500;
const BUCKETS = { "5m": 1, "1h": 12 } as const;

const list: BridgeHandlers<"activity">["list"] = async ({ env }, given) => {
  const now = Date.now();
  const asked = {
    since: given.since ?? (given.until ?? now) - DAY_MS,
    until: given.until ?? now + 1,
    step: BUCKETS[given.step ?? "1h"],
    limit: ROWS,
    ...(given.source === undefined ? {} : { source: given.source }),
  };
  const { activity: rows, next } = await callObject(() => outboxOf(env).activity(asked));
  const body = {
    data: rows.map(({ at, source: of, ...counts }) => ({ at: isoOf(at), source: of, ...counts })),
    next: next === undefined ? null : isoOf(next),
  };
  return { body };
};

export const activity: BridgeHandlers<"activity"> = { list };
