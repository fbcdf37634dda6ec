/**
 * Mailgun: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/mailgun.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import mailgun from "./mappings/mailgun.ts";
 *     mailgun: { rules: mailgun, secret: "MAILGUN_WEBHOOK_SIGNING_KEY" },
 */
import { mailgun } from "../src/handlers/mailgun.ts";
import { rules } from "../src/rules/types.ts";

/**
 * For mail that you send by Mailgun elsewhere. These rules are about `subscribed` and nothing else: they write `false`,
 * which ends campaigns and workflows to the address, and never `true`.
 */
export default rules(mailgun, [
  {
    // Not `failed.temporary`, which Mailgun tries again, nor what it gave up for a reason other than the address. That
    // these are all such reasons is unconfirmed.
    name: "address bounced",
    on: "failed.permanent",
    when: (e) => ["bounce", "suppress-bounce"].includes(e["event-data"].reason ?? ""),
    contact: { email: (e) => e["event-data"].recipient },
    update: { subscribed: false },
  },
  {
    name: "complained or unsubscribed",
    on: ["complained", "unsubscribed"],
    contact: { email: (e) => e["event-data"].recipient },
    update: { subscribed: false },
  },
]);
