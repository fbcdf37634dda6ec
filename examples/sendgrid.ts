/**
 * SendGrid: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/sendgrid.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import sendGrid from "./mappings/sendgrid.ts";
 *     sendgrid: { rules: sendGrid, secret: "SENDGRID_PUBLIC_KEY" },
 */
import { sendGrid } from "../src/handlers/sendgrid.ts";
import { rules } from "../src/rules/types.ts";

/**
 * The class of bounces that are about the address. Others are about the mail, who sent it, or a mailbox that is full.
 */
const GONE = "Invalid Address";

/**
 * For mail that you send by SendGrid elsewhere. These rules are about `subscribed` and nothing else: they write
 * `false`, which ends campaigns and workflows to the address, and never `true`.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 */
export default rules(sendGrid, [
  {
    // SendGrid also calls it a bounce where a mail was only blocked for now; without a class nothing is done.
    name: "address bounced",
    on: "bounce",
    when: (e) => e.bounce_classification === GONE,
    contact: { email: (e) => e.email },
    update: { subscribed: false },
  },
  {
    // Not `group_unsubscribe`: that is about one kind of mail.
    name: "complained or unsubscribed",
    on: ["spamreport", "unsubscribe"],
    contact: { email: (e) => e.email },
    update: { subscribed: false },
  },
]);
