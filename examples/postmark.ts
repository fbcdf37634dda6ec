/**
 * Postmark: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/postmark.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import postmark from "./mappings/postmark.ts";
 *     postmark: { rules: postmark, secret: "POSTMARK_WEBHOOK_SECRET" },
 */
import { postmark } from "../src/handlers/postmark.ts";
import { rules } from "../src/rules/types.ts";

/**
 * For mail that you send through Postmark yourself. These rules write only `subscribed: false`, which ends campaigns
 * and workflows to the address. They never write `true`.
 */
export default rules(postmark, [
  {
    // A bounce that leaves the address active was temporary.
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
    // Also sent when an address is reactivated. That is no consent to your campaigns.
    name: "unsubscribed",
    on: "SubscriptionChange",
    when: (e) => e.SuppressSending === true,
    contact: { email: (e) => e.Recipient },
    update: { subscribed: false },
  },
]);
