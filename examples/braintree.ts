/**
 * Braintree: payments that failed, subscriptions that are late or have ended.
 *
 * To use it, copy this file to `src/mappings/braintree.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import braintree from "./mappings/braintree.ts";
 *     braintree: { rules: braintree, secret: "BRAINTREE_WEBHOOK_SECRET" },
 */
import { type BraintreeEvent, braintree } from "../src/handlers/braintree.ts";
import { decimal, moneyOf } from "../src/rules/billing/decimal.ts";
import { rules } from "../src/rules/types.ts";

/** The text of the first element of a name, unescaped; undefined where there is none, or an empty one. */
const element = (xml: string | undefined, name: string): string | undefined => {
  const text = xml && new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]?.trim();
  return text ? text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") : undefined;
};

/**
 * The customer's address. Only a subscription's transactions have it, the newest first, so one that was never charged
 * tells of nobody. That they do in every notification is unconfirmed: the samples of Braintree's library have none.
 */
const email = (e: BraintreeEvent) => element(/<customer>[\s\S]*?<\/customer>/.exec(e.xml)?.[0], "email");
const plan = (e: BraintreeEvent) => element(e.xml, "plan-id");
const transaction = (e: BraintreeEvent) => /<transaction>[\s\S]*?<\/transaction>/.exec(e.xml)?.[0];
const amount = (e: BraintreeEvent) => element(transaction(e), "amount");
const currency = (e: BraintreeEvent) => element(transaction(e), "currency-iso-code")?.toLowerCase() ?? "usd";

export default rules(braintree, [
  {
    name: "payment failed",
    on: "subscription_charged_unsuccessfully",
    when: (e) => email(e) !== undefined && amount(e) !== undefined,
    contact: { email },
    event: {
      name: "paymentFailed",
      properties: {
        amount: (e) => moneyOf(amount(e) ?? "", currency(e)),
        amountValue: (e) => decimal(amount(e) ?? ""),
        currency,
      },
    },
  },
  {
    name: "past due",
    on: "subscription_went_past_due",
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "pastDue", properties: { plan } },
  },
  {
    name: "subscription canceled",
    on: ["subscription_canceled", "subscription_expired"],
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "subscriptionCanceled", properties: { plan } },
  },
]);
