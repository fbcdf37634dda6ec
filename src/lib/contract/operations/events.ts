import * as z from "zod";
import {
  atLeastOne,
  contactFields,
  customProperty,
  email,
  eventName,
  eventProperties,
  propertyValue,
  recorded,
  userId,
} from "../fields.ts";
import { operation } from "../operation.ts";

export const events = {
  /**
   * Sends an event for a contact, which is created when unknown. Other top-level keys, and `contactProperties`, update
   * the contact.
   */
  send: operation({
    method: "POST",
    path: "/events/send",
    summary: "Send an event to trigger workflows",
    request: z
      .object({
        email: email.optional(),
        userId: userId.optional(),
        eventName,
        eventProperties: eventProperties.optional(),
        contactProperties: z.record(z.string(), propertyValue).optional(),
        ...contactFields,
      })
      .catchall(customProperty)
      .refine(atLeastOne, { path: ["email"], message: "email or userId is required" }),
    response: recorded,
    status: 200,
    refusals: [400, 409],
    idempotent: true,
    lane: "event",
    example: { email: "ada@example.com", eventName: "signedUp", eventProperties: { plan: "pro", seats: 3 } },
  }),
};
