import * as z from "zod";
import { eventName, page, resourceId } from "../../../fields.ts";
import { read } from "../../../operation.ts";
import { team } from "../email-fields.ts";

const event = z.strictObject({
  id: z.string(),
  eventName: z.string(),
  at: z.string(),
  properties: z.record(z.string(), z.unknown()),
  contact: z.strictObject({ id: z.string(), email: z.string().nullable(), userId: z.string().nullable() }).nullable(),
});

export const events = {
  /** Newest first; events are kept for 30 days. `data` may be empty before the end. */
  list: read("viewer", {
    path: "/teams/{team}/events",
    summary: "Search a team's events, newest first",
    request: z.strictObject({ team, eventName: eventName.optional(), ...page }),
    response: z.strictObject({
      data: z.array(event),
      next: z.string().nullable(),
      searchedTo: z.string().nullable(),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", eventName: "signedUp", perPage: "20" },
  }),
};

export const eventPatterns = {
  usage: read("viewer", {
    path: "/teams/{team}/event-patterns/{eventPatternId}/usage",
    summary: "Show the workflows that an event starts",
    request: z.strictObject({ team, eventPatternId: resourceId }),
    response: z.strictObject({
      workflows: z.array(z.strictObject({ id: z.string(), name: z.string(), status: z.string() })),
    }),
    status: 200,
    refusals: [400, 404],
    example: { team: "acme", eventPatternId: "evp_1" },
  }),
};
