import * as z from "zod";
import { act, read } from "../../operation.ts";
import { count, time } from "./answers.ts";
import { backlog, problem } from "./attention.ts";
import { some, webhookFields } from "./bridge-fields.ts";

const lane = z.strictObject({ waiting: count, oldest: time.nullable() });

const status = z.strictObject({
  dispatch: z.enum(["running", "paused", "blocked", "backoff", "outage"]),
  health: z.strictObject({
    status: z.enum(["ok", "degraded", "blocked"]),
    reasons: z.array(z.string()),
    problems: z.array(problem),
  }),
  paused: z.strictObject({ all: time.nullable(), sources: z.record(z.string(), time) }),
  interruption: z
    .strictObject({
      reason: z.enum(["blocked", "backoff", "outage"]),
      message: z.string(),
      attempts: z.int(),
      since: time,
      until: time,
      lastSuccess: time.nullable(),
    })
    .nullable(),
  foreignAnswers: z.strictObject({ message: z.string(), count, since: time, last: time }).nullable(),
  waiting: z.strictObject({
    total: count,
    identity: count,
    sending: count,
    oldestMs: z.number(),
    lanes: z.record(z.string(), lane),
    sources: z.record(z.string(), z.strictObject({ waiting: count, quota: z.int() })),
  }),
  backlog,
  /**
   * `limit`: per second. `last60`: per second, oldest first; unknown seconds count as 0. `serviceRemaining`: the email
   * service's remaining limit, if known.
   */
  pace: z.strictObject({ limit: z.int(), last60: z.array(count).length(60), serviceRemaining: count.nullable() }),
  database: z.strictObject({ bytes: count }),
  /** Failed or undecided deliveries that are not discarded. */
  attention: count,
});

export const dispatch = {
  status: read("viewer", {
    path: "/status",
    summary: "Show whether delivery runs, and what waits",
    request: z.strictObject({}),
    response: status,
    status: 200,
    refusals: [400],
    example: {},
  }),
  pause: act("support", {
    method: "POST",
    path: "/pause",
    summary: "Pause all deliveries or one source",
    danger: false,
    request: some({ source: webhookFields.source }),
    response: status,
    status: 200,
    mayBeEmpty: true,
    refusals: [400],
    example: { source: "stripe" },
  }),
  resume: act("support", {
    method: "POST",
    path: "/resume",
    summary: "Resume all deliveries or one source",
    danger: false,
    request: some({ source: webhookFields.source }),
    response: status,
    status: 200,
    mayBeEmpty: true,
    refusals: [400],
    example: { source: "stripe" },
  }),
} as const;
