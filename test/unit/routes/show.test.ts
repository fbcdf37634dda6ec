import { expect, it } from "vitest";
import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
import type { WaitsFor } from "../../../src/outbox/operator/wait-reason.ts";
import { deliveryOf } from "../../../src/routes/admin/show.ts";

const AT = Date.UTC(2026, 0, 2);
const message = "the email service gives no answer";

const WAITS: { [For in WaitsFor["for"]]: Extract<WaitsFor, { for: For }> } = {
  answer: { for: "answer" },
  identity: { for: "identity", until: AT },
  paused: { for: "paused", source: "stripe", since: AT },
  blocked: { for: "blocked", message, since: AT, until: AT },
  outage: { for: "outage", message, since: AT, until: AT, lastSuccess: AT },
  backoff: { for: "backoff", message, until: AT },
  turn: { for: "turn", behind: { seq: 1, index: 0 } },
  fetch: { for: "fetch", until: AT, variable: "STRIPE_API_KEY" },
  time: { for: "time", until: AT },
  slot: { for: "slot", ahead: 8407, at: AT },
};

it.each(Object.values(WAITS))("a delivery that waits for $for has times as ISO 8601, not as numbers", (waits) => {
  const delivery = { action: "event", state: "waiting", rule: "signed up", contact: {}, attempts: [], due: AT };
  const shown = deliveryOf(1, 0, delivery as unknown as Delivery, waits, "clerk");
  const { ahead: _, ...times } = { ahead: 0, ...waits };
  const numbers = Object.values(times).filter((value) => typeof value === "number");
  const { ahead: __, ...told } = { ahead: 0, ...shown.waitingFor };
  expect(Object.values(told).filter((value) => value === "2026-01-02T00:00:00.000Z")).toHaveLength(numbers.length);
  expect(Object.values(told).filter((value) => typeof value === "number")).toEqual([]);
});
