import * as z from "zod";
import { act, read } from "../../operation.ts";
import { count, delivery, foundDelivery, reach } from "./answers.ts";
import { backlog, cause, problem } from "./attention.ts";
import { cursor, deliveryId, flag, pageFields, searchFields, some } from "./bridge-fields.ts";

const OF_ONE = [400, 404, 409] as const;
const example = { deliveryId: "wh_hocl2x0n80.0" };

export const deliveries = {
  search: read("viewer", {
    path: "/deliveries",
    summary: "Search deliveries, newest first",
    request: some({ ...searchFields, ...pageFields }),
    response: z.strictObject({ data: z.array(foundDelivery), ...reach }),
    status: 200,
    refusals: [400],
    example: { state: "attention" },
  }),
  causes: read("viewer", {
    path: "/attention",
    summary: "List what needs a person, heaviest first; deliveries by cause",
    request: some({ cursor }),
    response: z.strictObject({
      /** Without `cursor`, also the problems of `GET /admin/status`. */
      data: z.array(z.discriminatedUnion("kind", [problem, cause])),
      backlog,
      ...reach,
    }),
    status: 200,
    refusals: [400],
    example: {},
  }),
  retryAll: act("support", {
    method: "POST",
    path: "/deliveries/retry",
    summary: "Retry many deliveries",
    danger: false,
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
    path: "/deliveries/{deliveryId}/retry",
    summary: "Retry a failed or undecided delivery",
    danger: false,
    request: z.strictObject({ deliveryId }),
    response: delivery,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example,
  }),
  discard: act("support", {
    method: "POST",
    path: "/deliveries/{deliveryId}/discard",
    summary: "End a failed or undecided delivery",
    danger: false,
    request: z.strictObject({ deliveryId }),
    response: delivery,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example,
  }),
  sendAgain: act("owner", {
    method: "POST",
    path: "/deliveries/{deliveryId}/send-again",
    summary: "Send a delivery again with a new key",
    danger: true,
    request: z.strictObject({ deliveryId, confirm: flag.optional() }),
    response: delivery,
    status: 200,
    mayBeEmpty: true,
    refusals: OF_ONE,
    example: { ...example, confirm: true },
  }),
} as const;
