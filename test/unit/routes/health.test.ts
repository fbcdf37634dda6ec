import { expect, it } from "vitest";
import { healthOf } from "../../../src/routes/health.ts";

const blocked = { reason: "blocked" as const, message: "ada@example.com is wrong", since: 0, until: 1, probes: 2 };
const backoff = { ...blocked, reason: "backoff" as const };
const well = { waiting: 3, late: 0, interruption: null, pauses: { sources: {} }, problems: [] };

it.each([
  { status: "ok", state: { late: 1_000 }, reasons: [] },
  { status: "degraded", state: { late: 600_000 }, reasons: ["late: the oldest call has waited for 10 min"] },
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
  { status: "degraded", state: { pauses: { all: 1, sources: {} } }, reasons: ["paused by a person: all delivery"] },
  {
    status: "degraded",
    state: { pauses: { sources: { stripe: 1, clerk: 2 } } },
    reasons: ["paused by a person: stripe, clerk"],
  },
  { status: "degraded", state: { problems: ["alerts: not delivered"] }, reasons: ["alerts: not delivered"] },
  {
    status: "blocked",
    state: { interruption: blocked, late: 900_000, pauses: { sources: { clerk: 2 } } },
    reasons: [
      "blocked: the email API refuses the API key or cannot be called (attempts so far: 3)",
      "late: the oldest call has waited for 15 min",
      "paused by a person: clerk",
    ],
  },
])("says $status with the reasons, and names no person: $reasons", ({ status, state, reasons }) => {
  expect(healthOf({ ...well, ...state })).toEqual({ status, reasons, waiting: 3 });
});
