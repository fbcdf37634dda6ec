/**
 * Recurly: new accounts, and word to the team of subscriptions that end.
 *
 * To use it, copy this file to `src/mappings/recurly.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import recurly from "./mappings/recurly.ts";
 *     recurly: { rules: recurly, secret: "RECURLY_WEBHOOK_SECRET" },
 */
import { recurly } from "../src/handlers/recurly.ts";
import { rules } from "../src/rules/types.ts";
import { iso } from "../src/rules/values/iso.ts";

/** Who is told. Put your own address here. */
const team = { email: "team@example.com" };

/**
 * Recurly tells of ids. An account has the code that you gave it; these rules take it for your own user id. A
 * subscription does not even tell whose it is, so the team is told: to write to the customer, have the code that is
 * behind it ask Recurly and send an event of your own.
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
