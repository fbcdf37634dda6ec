/**
 * SendGrid: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/sendgrid.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import sendGrid from "./mappings/sendgrid.ts";
 *     sendgrid: { rules: sendGrid, secret: "SENDGRID_PUBLIC_KEY" },
 */
import { sendGrid } from "../src/handlers/sendgrid.ts";
import { rules } from "../src/rules/types.ts";

/**
 * The class of bounces caused by the address. Other bounces are caused by the mail, its sender or a full mailbox.
 */
const GONE = "Invalid Address";

/**
 * For mail that you send through SendGrid yourself. These rules write only `subscribed: false`, which ends campaigns
 * and workflows to the address. They never write `true`.
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 */
export default rules(sendGrid, [
  {
    // SendGrid also sends a bounce for a mail that was only blocked temporarily. Bounces without a class are ignored.
    name: "address bounced",
    on: "bounce",
    when: (e) => e.bounce_classification === GONE,
    contact: { email: (e) => e.email },
    update: { subscribed: false },
  },
  {
    // Not `group_unsubscribe`: it concerns one kind of mail only.
    name: "complained or unsubscribed",
    on: ["spamreport", "unsubscribe"],
    contact: { email: (e) => e.email },
    update: { subscribed: false },
  },
]);
