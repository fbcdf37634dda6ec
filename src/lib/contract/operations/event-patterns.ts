import * as z from "zod";
import { eventProperty, page, paginated, resourceId } from "../fields.ts";
import { read } from "../operation.ts";

const summary = z
  .object({
    id: z.string(),
    eventName: z.string(),
    incomingWebhookPlatform: z.enum(["clerk", "polar", "stripe", "supabase"]).nullable(),
  })
  .meta({ id: "EventPatternSummary" });
const pattern = summary
  .extend({
    eventProperties: z.array(eventProperty),
  })
  .meta({ id: "EventPattern" });

export const eventPatterns = {
  /** Event names that were sent, newest first. */
  list: read("viewer", {
    path: "/event-patterns",
    summary: "List event patterns",
    request: z.object(page),
    response: paginated(summary),
    status: 200,
    refusals: [400],
    example: { perPage: "20" },
  }),

  get: read("viewer", {
    path: "/event-patterns/{eventPatternId}",
    summary: "Get an event pattern",
    request: z.object({ eventPatternId: resourceId }),
    response: pattern,
    status: 200,
    refusals: [400, 404],
    example: { eventPatternId: "evp_1" },
  }),

  /** The exact event name: percent-encoded, case-sensitive. */
  getByName: read("viewer", {
    path: "/event-patterns/by-name/{eventName}",
    summary: "Get an event pattern by its event name",
    request: z.object({ eventName: z.string().max(100, "must be at most 100 characters") }),
    response: pattern,
    status: 200,
    refusals: [400, 404],
    example: { eventName: "signedUp" },
  }),
};
