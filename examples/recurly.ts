/**
 * Recurly: new accounts, and a notice to the team about subscriptions that end.
 *
 * To use it, copy this file to `src/mappings/recurly.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import recurly from "./mappings/recurly.ts";
 *     recurly: { rules: recurly, secret: "RECURLY_WEBHOOK_SECRET" },
 */
import { recurly } from "../src/handlers/recurly.ts";
import { rules } from "../src/rules/types.ts";
import { iso } from "../src/rules/values/iso.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

/**
 * Recurly's webhooks contain ids. An account has the code that you gave it; these rules use it as your user id. The
 * webhook of a subscription does not name its account, so these rules notify the team. To write to the customer, let
 * your own code fetch the account from Recurly and send an event.
 * @see https://docs.recurly.com/recurly-subscriptions/docs/subscription-notifications
 */
export default rules(recurly, [
  {
    name: "account created",
    on: "account.created",
    when: (e) => Boolean(e.account_code),
    contact: { userId: (e) => e.account_code },
    event: { name: "billingAccountCreated" },
  },
  {
    name: "subscription ends",
    on: ["subscription.canceled", "subscription.expired"],
    contact: team,
    event: {
      name: "recurlySubscriptionEnds",
      properties: { change: (e) => e.event_type, subscription: (e) => e.uuid, at: (e) => iso(e.event_time) },
    },
  },
]);
