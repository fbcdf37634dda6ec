/**
 * Twilio: notifies the team of text messages that did not arrive. Its webhooks have phone numbers and no email
 * addresses.
 *
 * To use it, copy this file to `src/mappings/twilio.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import twilio from "./mappings/twilio.ts";
 *     twilio: { rules: twilio, secret: "TWILIO_AUTH_TOKEN" },
 */
import { twilio } from "../src/handlers/twilio.ts";
import { rules } from "../src/rules/types.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

export default rules(twilio, [
  {
    // Without the phone number, which is personal data. The message id finds it at Twilio.
    name: "message failed",
    on: ["failed", "undelivered"],
    when: (e) => Boolean(e.MessageSid),
    contact: team,
    event: {
      name: "textMessageFailed",
      properties: { message: (e) => e.MessageSid, status: (e) => e.MessageStatus, errorCode: (e) => e.ErrorCode },
    },
  },
]);
