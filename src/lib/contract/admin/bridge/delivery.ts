import * as z from "zod";
import { operation } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { some, webhookFields } from "./fields.ts";

const lane = z.strictObject({ waiting: count, oldest: time.nullable() });

/** The state of delivery. */
const status = z.strictObject({
  delivery: z.enum(["running", "paused", "blocked", "backoff"]),
  /** As `GET /health` says it. */
  health: z.strictObject({ status: z.enum(["ok", "degraded", "blocked"]), reasons: z.array(z.string()) }),
  paused: z.strictObject({ all: time.nullable(), sources: z.record(z.string(), time) }),
  interruption: z
    .strictObject({ reason: z.string(), message: z.string(), attempts: z.int(), since: time, until: time })
    .nullable(),
  foreignAnswers: z.strictObject({ message: z.string(), count, since: time, last: time }).nullable(),
  waiting: z.strictObject({
    total: count,
    identity: count,
    sending: count,
    oldestMs: z.number(),
    lanes: z.record(z.string(), lane),
    sources: z.record(z.string(), z.strictObject({ waiting: count, room: z.int() })),
  }),
  /**
   * Requests to the host. `limit`: in one second. `last60`: in each of the last 60 whole seconds, oldest first; those before the object
   * woke up are not known and count as 0. `hostRemaining`: what the host's newest answer said is left of its own limit; null where it says
   * nothing.
   */
  pace: z.strictObject({ limit: z.int(), last60: z.array(count).length(60), hostRemaining: count.nullable() }),
  database: z.strictObject({ bytes: count }),
  /** Calls that are dead or parked and not discarded. */
  attention: count,
});

/** Shows whether delivery runs; pauses and resumes it. */
export const delivery = {
  status: operation({
    method: "GET",
    path: "/status",
    summary: "Show whether delivery runs, and what waits",
    request: z.strictObject({}),
    response: status,
    status: 200,
    refusals: [400],
    example: {},
  }),
  pause: operation({
    method: "POST",
    path: "/pause",
    summary: "Pause all delivery or one source",
    request: some({ source: webhookFields.source }),
    response: status,
    status: 200,
    refusals: [400],
    example: { source: "stripe" },
  }),
  resume: operation({
    method: "POST",
    path: "/resume",
    summary: "Resume all delivery or one source",
    request: some({ source: webhookFields.source }),
    response: status,
    status: 200,
    refusals: [400],
    example: { source: "stripe" },
  }),
} as const;
