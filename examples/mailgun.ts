/**
 * Mailgun: addresses that bounce, complain or unsubscribe get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/mailgun.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import mailgun from "./mappings/mailgun.ts";
 *     mailgun: { rules: mailgun, secret: "MAILGUN_WEBHOOK_SIGNING_KEY" },
 */
import { mailgun } from "../src/handlers/mailgun.ts";
import { rules } from "../src/rules/types.ts";

/**
 * For mail that you send through Mailgun yourself. These rules write only `subscribed: false`, which ends campaigns and
 * workflows to the address. They never write `true`.
 */
export default rules(mailgun, [
  {
    // Not `failed.temporary`, which Mailgun retries, and not failures for reasons other than the address. That the list
    // of such reasons is complete is unconfirmed.
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
