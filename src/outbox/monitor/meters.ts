import { createCounter, createHistogram } from "../../lib/util/prometheus.ts";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAITS = [0.05, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];

/** What is counted in memory. It starts again at zero with the object, which Prometheus takes for what it is: a reset. */
export const createMeters = () => ({
  webhooks: createCounter(
    "mailspan_webhooks_total",
    "Webhooks that the door took, by source; a duplicate was taken before.",
    ["source", "result"],
  ),
  refusals: createCounter("mailspan_refusals_total", "Webhooks that the door refused, by source and reason.", [
    "source",
    "code",
  ]),
  settled: createCounter("mailspan_calls_settled_total", "Calls that came to an end, by action and state.", [
    "action",
    "state",
  ]),
  tries: createCounter("mailspan_attempts_total", "Requests to the email service by what came of them.", [
    "action",
    "outcome",
  ]),
  tryTime: createHistogram(
    "mailspan_try_duration_seconds",
    "How long the email service took to answer.",
    ["action"],
    SECONDS,
  ),
  wait: createHistogram(
    "mailspan_queue_wait_seconds",
    "From the acceptance of a webhook to the first start of each of its calls, by lane.",
    ["lane"],
    WAITS,
  ),
  lookups: createCounter("mailspan_fetch_backs_total", "Questions to providers whose a ref is, by what came of them.", [
    "source",
    "outcome",
  ]),
  alerts: createCounter("mailspan_alerts_total", "Alerts that were told of, by kind and status.", ["kind", "status"]),
});

export type Meters = ReturnType<typeof createMeters>;
