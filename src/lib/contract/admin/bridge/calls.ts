import * as z from "zod";
import { act, read } from "../../operation.ts";
import { action, call, count, foundCall, reach, time } from "./answers.ts";
import { callId, cursor, flag, pageFields, searchFields, some } from "./fields.ts";

const OF_ONE = [400, 404, 409] as const;
const example = { callId: "wh_hocl2x0n80.0" };

export const calls = {
  search: read("viewer", {
    path: "/calls",
    summary: "Search calls, newest first",
    request: some({ ...searchFields, ...pageFields }),
    response: z.strictObject({ data: z.array(foundCall), ...reach }),
    status: 200,
    refusals: [400],
    example: { state: "attention" },
  }),
  causes: read("viewer", {
    path: "/attention",
    summary: "List the calls that need a person, grouped by cause",
    request: some({ cursor }),
    response: z.strictObject({
      data: z.array(
        z.strictObject({
          /** The message without addresses, ids and numbers. */
          cause: z.string(),
          message: z.string(),
          source: z.string(),
          rule: z.string(),
          action,
          state: z.enum(["dead", "parked"]),
          count,
          first: time,
          last: time,
          examples: z.array(z.string()),
        }),
      ),
      ...reach,
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
  retryAll: act("support", {
    method: "POST",
    path: "/calls/retry",
    summary: "Retry many calls",
    dryRun: true,
    request: some({ ...searchFields, cursor, dryRun: flag }),
    response: z.strictObject({
      dryRun: z.boolean(),
      retried: count,
      refused: z.record(z.string(), count),
      examples: z.array(z.string()),
      ...reach,
    }),
    status: 200,
    mayBeEmpty: true,
    refusals: [400],
    example: { state: "attention", dryRun: true },
  }),
  retry: act("support", {
    method: "POST",
    path: "/calls/{callId}/retry",
    summary: "Retry a dead or parked call",
    request: z.strictObject({ callId }),
    response: call,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example,
  }),
  discard: act("support", {
    method: "POST",
    path: "/calls/{callId}/discard",
    summary: "End a dead or parked call",
    request: z.strictObject({ callId }),
    response: call,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example,
  }),
  sendAgain: act("owner", {
    method: "POST",
    path: "/calls/{callId}/send-again",
    summary: "Send a call again with a new key",
    danger: true,
    request: z.strictObject({ callId, confirm: flag.optional() }),
    response: call,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example: { ...example, confirm: true },
  }),
} as const;
