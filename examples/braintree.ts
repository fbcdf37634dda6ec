/**
 * Braintree: failed payments, and subscriptions that are past due or canceled.
 *
 * To use it, copy this file to `src/mappings/braintree.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import braintree from "./mappings/braintree.ts";
 *     braintree: { rules: braintree, secret: "BRAINTREE_WEBHOOK_SECRET" },
 */
import { type BraintreeEvent, braintree } from "../src/handlers/braintree.ts";
import { decimal, moneyOf } from "../src/rules/billing/decimal.ts";
import { rules } from "../src/rules/types.ts";

/** The text of the first element with this name, unescaped; undefined where it is absent or empty. */
const element = (xml: string | undefined, name: string): string | undefined => {
  const text = xml && new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]?.trim();
  return text ? text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") : undefined;
};

/**
 * The customer's email address. Only a subscription's transactions contain it (newest first), so a subscription that
 * was never charged has none. It is unconfirmed that every notification contains transactions: the samples of
 * Braintree's library do not.
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
