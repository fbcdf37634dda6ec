/**
 * Postmark: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/postmark.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import postmark from "./mappings/postmark.ts";
 *     postmark: { rules: postmark, secret: "POSTMARK_WEBHOOK_SECRET" },
 */
import { postmark } from "../src/handlers/postmark.ts";
import { rules } from "../src/rules/types.ts";

/**
 * For mail that you send by Postmark elsewhere. These rules are about `subscribed` and nothing else: they write
 * `false`, which ends campaigns and workflows to the address, and never `true`.
 */
export default rules(postmark, [
  {
    // A bounce that leaves the address active was a passing one.
    name: "address bounced",
    on: "Bounce",
    when: (e) => e.Type === "HardBounce" || e.Inactive === true,
    contact: { email: (e) => e.Email },
    update: { subscribed: false },
  },
  {
    name: "complained",
    on: "SpamComplaint",
    contact: { email: (e) => e.Email },
    update: { subscribed: false },
  },
  {
    // It also tells of an address that is let in again: that is no consent to your campaigns.
    name: "unsubscribed",
    on: "SubscriptionChange",
    when: (e) => e.SuppressSending === true,
    contact: { email: (e) => e.Recipient },
    update: { subscribed: false },
  },
]);
