import { expect, it } from "vitest";
import { healthOf } from "../../../src/routes/health.ts";

const pause = { reason: "held" as const, message: "ada@example.com is wrong", since: 0, until: 1, probes: 2 };
const limited = { ...pause, reason: "limited" as const };
const well = { waiting: 3, late: 0, pause: null, stops: { sources: {} }, problems: [] };

it.each([
  { status: "ok", state: { late: 1_000 }, reasons: [] },
  { status: "degraded", state: { late: 600_000 }, reasons: ["late: the oldest call has waited for 10 min"] },
  { status: "degraded", state: { pause: limited }, reasons: ["paused: the email service asked to slow down"] },
  {
    status: "held",
    state: { pause },
    reasons: ["held: the email service refuses the key or cannot be called (3 tries)"],
  },
  { status: "degraded", state: { stops: { all: 1, sources: {} } }, reasons: ["stopped by a person: all delivery"] },
  {
    status: "degraded",
    state: { stops: { sources: { stripe: 1, clerk: 2 } } },
    reasons: ["stopped by a person: stripe, clerk"],
  },
  { status: "degraded", state: { problems: ["alerts: nobody takes them"] }, reasons: ["alerts: nobody takes them"] },
  {
    status: "held",
    state: { pause, late: 900_000, stops: { sources: { clerk: 2 } } },
    reasons: [
      "held: the email service refuses the key or cannot be called (3 tries)",
      "late: the oldest call has waited for 15 min",
      "stopped by a person: clerk",
    ],
  },
])("says $status, why, and nothing of whom: $reasons", ({ status, state, reasons }) => {
  expect(healthOf({ ...well, ...state })).toEqual({ status, reasons, waiting: 3 });
});
