/**
 * Twilio: tells the team of text messages that did not arrive. Its webhooks have numbers of phones and no addresses.
 *
 * To use it, copy this file to `src/mappings/twilio.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import twilio from "./mappings/twilio.ts";
 *     twilio: { rules: twilio, secret: "TWILIO_AUTH_TOKEN" },
 */
import { twilio } from "../src/handlers/twilio.ts";
import { rules } from "../src/rules/types.ts";

/** Who is told. Put your own address here. */
const team = { email: "team@example.com" };

export default rules(twilio, [
  {
    // The number is left out: it is the person's, and the message id finds it.
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
