import { EVENT_TYPES } from "../outgoing-events.ts";
import { eventBodyOf } from "../webhooks/event-data.ts";
import { type NamedSchemas, type Schema, schemaOf } from "./schemas.ts";

const HEADERS =
  "Headers (Standard Webhooks): `webhook-id`, the same at each repetition; `webhook-timestamp`, Unix seconds of this attempt; `webhook-signature` of id, timestamp and body.";

/** Describes the outgoing webhooks by the name of their event. */
export const webhooksOf = (named: NamedSchemas): Schema =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => {
      const schema = schemaOf(eventBodyOf(type), "output", named);
      const post = {
        operationId: `webhooks.${type}`,
        // A webhook is no call: without this, openapi-generator writes one, in broken Python.
        "x-internal": true,
        tags: ["webhooks"],
        summary: `The event ${type}`,
        description: HEADERS,
        security: [],
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { "200": { description: "Any 2xx: the event has arrived." } },
      };
      return [type, { post }];
    }),
  );
