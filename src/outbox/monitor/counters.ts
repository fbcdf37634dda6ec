import { createCounter, createHistogram } from "../../lib/util/prometheus.ts";

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAITS = [0.05, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];

/** Keeps counters in memory. They restart at zero; Prometheus expects such resets. */
export const createCounters = () => ({
  webhooks: createCounter(
    "mailspan_webhooks_total",
    "Verified webhooks by source. A duplicate was accepted before and makes no deliveries.",
    ["source", "result"],
  ),
  refusals: createCounter("mailspan_refusals_total", "Refused webhooks by source and error code.", ["source", "code"]),
  settled: createCounter("mailspan_deliveries_settled_total", "Settled deliveries by action and final state.", [
    "action",
    "state",
  ]),
  attempts: createCounter("mailspan_attempts_total", "Attempts (requests to the email API) by outcome.", [
    "action",
    "outcome",
  ]),
  attemptTime: createHistogram(
    "mailspan_attempt_duration_seconds",
    "Time until the email API answered an attempt.",
    ["action"],
    SECONDS,
  ),
  queueWait: createHistogram(
    "mailspan_queue_wait_seconds",
    "Time from the acceptance of a webhook to the first attempt of each of its deliveries, by lane.",
    ["lane"],
    WAITS,
  ),
  fetchBacks: createCounter("mailspan_fetch_backs_total", "Fetch-backs from a provider's API by outcome.", [
    "source",
    "outcome",
  ]),
  wrongTokens: createCounter("mailspan_admin_refusals_total", "Requests to /admin with a wrong ADMIN_TOKEN.", []),
  alerts: createCounter("mailspan_alerts_total", "Alerts by kind and status (firing, resolved).", ["kind", "status"]),
});

export type Counters = ReturnType<typeof createCounters>;
