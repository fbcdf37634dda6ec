import { metricsText } from "../../lib/util/prometheus.ts";
import type { Engine } from "../engine.ts";
import { isOpen } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Observation } from "../model/observation.ts";
import { createCounters } from "./counters.ts";
import { createGauges } from "./gauges.ts";

export const createMetrics = () => {
  const counters = createCounters();
  const gauges = createGauges();
  const countSettled = (delivery: Delivery) => {
    if (!isOpen(delivery)) counters.settled.add([delivery.action, delivery.state]);
  };
  return {
    counters,
    observe: (observation: Observation): void => {
      const { webhooks, attempts, attemptTime, queueWait } = counters;
      if (observation.kind === "webhooks") {
        for (const { source, duplicate, deliveries, completes } of observation.webhooks) {
          if (!completes) webhooks.add([source, duplicate ? "duplicate" : "accepted"]);
          deliveries.forEach(countSettled);
        }
      } else if (observation.kind === "delivery") countSettled(observation.delivery);
      else if (observation.kind === "start")
        queueWait.observe([observation.lane], Math.max(0, observation.waited) / 1000);
      else if (observation.kind === "attempt") {
        attempts.add([observation.action, observation.outcome]);
        attemptTime.observe([observation.action], Math.max(0, observation.ms) / 1000);
      }
    },
    text: (engine: Engine, now: number): string =>
      metricsText([...Object.values(counters).map((counter) => counter.metric()), ...gauges(engine, now)]),
  };
};
