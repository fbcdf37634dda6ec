import { outboxOf } from "../../env.ts";
import { shownAlerts } from "../../lib/alerts/shown-alerts.ts";
import { DAY_MS, isoOf, MINUTE_MS } from "../../lib/util/dates.ts";
import { METRICS_TYPE } from "../../lib/util/prometheus.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { minuteOf, type Refused } from "../../outbox/journal/refusals.ts";
import type { BridgeHandlers } from "./handler.ts";

/** One minute never has as many rows, so a response contains a whole minute. */
const ROWS = 2_000;

export const metrics: BridgeHandlers<"metrics"> = {
  get: async ({ env }) => ({
    body: await callObject(() => outboxOf(env).metrics()),
    headers: { "Content-Type": METRICS_TYPE },
  }),
};

export const alerts: BridgeHandlers<"alerts"> = {
  list: async ({ env }) => {
    return { body: shownAlerts(await callObject(() => outboxOf(env).alerts())) };
  },
};

export const refusals: BridgeHandlers<"refusals"> = {
  list: async ({ env }, given) => {
    const now = Date.now();
    const filter = {
      since: minuteOf(given.since ?? now - DAY_MS),
      until: given.until === undefined ? minuteOf(now) + 2 : Math.ceil(given.until / MINUTE_MS),
      limit: ROWS,
      ...(given.source === undefined ? {} : { source: given.source }),
    };
    const { refused, next } = await callObject(() => outboxOf(env).refusals(filter));
    return {
      body: {
        data: refused.map(({ minute, ...rest }) => ({ minute: timeOf(minute), ...rest })),
        totals: totalsOf(refused),
        next: next === undefined ? null : timeOf(next),
      },
    };
  },
};

const timeOf = (minute: number): string => isoOf(minute * MINUTE_MS);

const totalsOf = (refused: readonly Refused[]) => {
  const totals = new Map<string, { source: string; code: string; count: number }>();
  for (const { source, code, count } of refused) {
    const key = JSON.stringify([source, code]);
    totals.set(key, { source, code, count: count + (totals.get(key)?.count ?? 0) });
  }
  return [...totals.values()].sort((a, b) => b.count - a.count);
};
