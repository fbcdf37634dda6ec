import { describe, expect, it } from "vitest";
import { createHealth, healthOf } from "../../../src/routes/health.ts";

const blocked = { reason: "blocked" as const, message: "ada@example.com is wrong", since: 0, until: 1, probes: 2 };
const outage = {
  ...blocked,
  reason: "outage" as const,
  message: "503",
  since: 60_000,
  until: 90_000,
  lastSuccess: 30_000,
};
const backoff = { ...blocked, reason: "backoff" as const };
const well = {
  waiting: 3,
  late: 0,
  interruption: null,
  foreignAnswers: null,
  pauses: { sources: {} },
  quotas: [],
  attention: 0,
  problems: [],
};
const filled = { source: "stripe", used: 48_000, quota: 60_000, paused: false };

it.each([
  { status: "ok", state: { late: 1_000 }, reasons: [] },
  { status: "degraded", state: { late: 600_000 }, reasons: ["late: the oldest delivery has waited for 10 min"] },
  {
    status: "degraded",
    state: { interruption: backoff },
    reasons: ["backoff: the email API answered 429 (too many requests)"],
  },
  {
    status: "blocked",
    state: { interruption: blocked },
    reasons: ["blocked: the email API refuses the API key or cannot be called (attempts so far: 3)"],
  },
  {
    status: "blocked",
    state: { interruption: outage },
    reasons: [
      "outage: the email service gives no usable answer: 503 since 00:01:00; last success 00:00:30; next attempt 00:01:30 UTC.",
    ],
  },
  {
    status: "degraded",
    state: {
      foreignAnswers: { since: 0, at: 1, count: 2, message: "Something in front of the email service answered 404." },
    },
    reasons: [
      "foreign answers: Something in front of the email service answered 404. (2 answers since 00:00 UTC; the deliveries are retried)",
    ],
  },
  { status: "degraded", state: { pauses: { all: 1, sources: {} } }, reasons: ["paused by a person: all deliveries"] },
  {
    status: "degraded",
    state: { pauses: { sources: { stripe: 1, clerk: 2 } } },
    reasons: ["paused by a person: stripe, clerk"],
  },
  {
    status: "degraded",
    state: { quotas: [{ ...filled, used: 60_000 }, filled] },
    reasons: [
      "full, new webhooks are refused: stripe has 60000 webhooks with open deliveries, its quota is 60000",
      "nearly full: stripe has 48000 webhooks with open deliveries, its quota is 60000",
    ],
  },
  {
    status: "degraded",
    state: { problems: [{ kind: "alerts" as const, message: "alerts: not delivered" }] },
    reasons: ["alerts: not delivered"],
  },
  {
    status: "degraded",
    state: { attention: 1, problems: [{ kind: "refusing" as const, source: "clerk", message: "refusing: clerk" }] },
    reasons: ["refusing: clerk", "deliveries: 1 needs a person"],
  },
  {
    status: "blocked",
    state: { interruption: blocked, late: 900_000, pauses: { sources: { clerk: 2 } } },
    reasons: [
      "blocked: the email API refuses the API key or cannot be called (attempts so far: 3)",
      "late: the oldest delivery has waited for 15 min",
      "paused by a person: clerk",
    ],
  },
])("says $status with the reasons, and names no person: $reasons", ({ status, state, reasons }) => {
  expect(healthOf({ ...well, ...state })).toEqual({ status, reasons, waiting: 3 });
});

describe("one isolate", () => {
  const counting = () => {
    const asked: ((status: typeof well) => void)[] = [];
    const ask = () => new Promise<typeof well>((resolve) => asked.push(resolve));
    return { asked, ask };
  };

  it("asks the object once in three seconds, however many requests come", async () => {
    let now = 0;
    const health = createHealth(() => now);
    const { asked, ask } = counting();
    const first = health(ask);
    asked[0]?.(well);
    expect(await first).toMatchObject({ status: "ok", waiting: 3 });
    for (; now < 3_000; now += 10) expect(await health(ask)).toMatchObject({ waiting: 3 });
    expect(asked).toHaveLength(1);
    const again = health(ask);
    for (let n = 0; n < 100; n++) expect(await health(ask)).toMatchObject({ waiting: 3 });
    asked[1]?.({ ...well, waiting: 4 });
    expect(await again).toMatchObject({ waiting: 4 });
    expect(await health(ask)).toMatchObject({ waiting: 4 });
    expect(asked).toHaveLength(2);
  });

  it("keeps no answer over an error", async () => {
    const health = createHealth(() => 0);
    const fail = () => Promise.reject(new Error("overloaded"));
    await expect(health(fail)).rejects.toThrow("overloaded");
    await expect(health(fail)).rejects.toThrow("overloaded");
    expect(await health(async () => well)).toMatchObject({ status: "ok" });
  });
});
