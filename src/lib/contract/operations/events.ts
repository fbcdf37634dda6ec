import { email } from "../email.ts";
import {
  contactFields,
  customProperties,
  eventName,
  eventProperties,
  namingContact,
  recorded,
  userId,
  withCustomProperties,
} from "../fields.ts";
import { act } from "../operation.ts";

export const events = {
  /**
   * Sends an event and creates an unknown contact. Other top-level keys, and `contactProperties`, update the contact.
   */
  send: act("editor", {
    method: "POST",
    path: "/events/send",
    summary: "Send an event to trigger workflows",
    danger: false,
    request: namingContact(
      withCustomProperties({
        email: email.optional(),
        userId: userId.optional(),
        eventName,
        eventProperties: eventProperties.optional(),
        contactProperties: customProperties.optional(),
        ...contactFields,
      }),
    ),
    response: recorded,
    status: 200,
    refusals: [400, 409],
    refusesWithSuccess: true,
    idempotent: true,
    lane: "event",
    example: { email: "ada@example.com", eventName: "signedUp", eventProperties: { plan: "pro", seats: 3 } },
  }),
};
