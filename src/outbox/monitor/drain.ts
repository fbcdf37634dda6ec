import { MINUTE_MS } from "../../lib/util/dates.ts";
import { isOpen } from "../model/delivery-state.ts";
import type { Observation } from "../model/observation.ts";

/** Seconds that the rates are measured over. */
const SPAN = 15;

/** Rates of the last 15 seconds, as deliveries a minute. `doneAt`: Unix ms; null if the backlog does not shrink. */
export type Drain = { settledPerMinute: number; addedPerMinute: number; doneAt: number | null };

const createRate = () => {
  const counts = new Map<number, number>();
  return {
    add: (now: number, many: number): void => {
      const second = Math.floor(now / 1_000);
      counts.set(second, (counts.get(second) ?? 0) + many);
      for (const old of counts.keys()) {
        if (old > second - SPAN) break;
        counts.delete(old);
      }
    },
    perMinute: (now: number): number => {
      const from = Math.floor(now / 1_000) - SPAN;
      const sum = [...counts].reduce((all, [second, many]) => (second > from ? all + many : all), 0);
      return Math.round((sum * 60) / SPAN);
    },
  };
};

/** Measures how fast deliveries come and go, in memory. */
export const createDrain = (now: () => number) => {
  const settled = createRate();
  const added = createRate();
  return {
    observe: (observation: Observation): void => {
      if (observation.kind === "webhooks") {
        const open = observation.webhooks.flatMap(({ deliveries }) => deliveries).filter(isOpen).length;
        if (open > 0) added.add(now(), open);
      } else if (observation.kind === "delivery" && !isOpen(observation.delivery)) settled.add(now(), 1);
    },
    /** `sendable`: deliveries that wait for no person and no identity. */
    of: (sendable: number): Drain => {
      const at = now();
      const rates = { settledPerMinute: settled.perMinute(at), addedPerMinute: added.perMinute(at) };
      const net = rates.settledPerMinute - rates.addedPerMinute;
      return { ...rates, doneAt: sendable > 0 && net > 0 ? at + (sendable / net) * MINUTE_MS : null };
    },
  };
};
