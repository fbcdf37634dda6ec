import { expect, it } from "vitest";
import { healthOf } from "../../src/routes/health.ts";

const pause = { reason: "held" as const, message: "ada@example.com is wrong", since: 0, until: 1, probes: 2 };
const limited = { ...pause, reason: "limited" as const };

it.each([
  { status: "ok", late: 1_000, pause: null, reasons: [] },
  { status: "degraded", late: 600_000, pause: null, reasons: ["late: the oldest call has waited for 10 min"] },
  { status: "degraded", late: 0, pause: limited, reasons: ["paused: the email service asked to slow down"] },
  {
    status: "held",
    late: 0,
    pause,
    reasons: ["held: the email service refuses the key or cannot be called (3 tries)"],
  },
])("says $status, why, and nothing of whom", ({ status, late, pause, reasons }) => {
  expect(healthOf({ waiting: 3, late, pause })).toEqual({ status, reasons, waiting: 3 });
});
