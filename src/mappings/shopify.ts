import {
  type ShopifyCheckout,
  type ShopifyMoney,
  type ShopifyOrder,
  type ShopifyRefund,
  shopify,
} from "../handlers/shopify.ts";
import { decimal, moneyOf } from "../rules/billing/decimal.ts";
import { customer } from "../rules/people/customer.ts";
import { guessedParts } from "../rules/people/name.ts";
import { type Contact, joined, rules } from "../rules/types.ts";
import { clip, shortLink } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { locale } from "../rules/values/locale.ts";
import disputes from "./shopify/disputes.ts";
import { orderRef } from "./shopify/order-ref.ts";
import subscriptionContracts from "./shopify/subscription-contracts.ts";

const orderEmail = (order: ShopifyOrder) => order.email || order.contact_email || order.customer?.email || undefined;

const buyer = (order: ShopifyOrder): Contact => {
  const email = orderEmail(order);
  return email ? { email } : customer(order.customer ? String(order.customer.id) : undefined);
};

const hasBuyer = (order: ShopifyOrder) => Object.keys(buyer(order)).length > 0;

/** Undefined if the order's address may belong to another person. */
const customerId = (order: ShopifyOrder) => {
  const { customer: who } = order;
  const isOther = who?.email && orderEmail(order)?.toLowerCase() !== who.email.toLowerCase();
  return who && !isOther ? String(who.id) : undefined;
};

const total = ({ total_price_set, total_price, currency }: ShopifyOrder): ShopifyMoney | undefined =>
  total_price_set?.presentment_money ??
  (total_price && currency ? { amount: total_price, currency_code: currency } : undefined);

const orderAmount = {
  amount: (e: ShopifyOrder) => {
    const known = total(e);
    return known && moneyOf(known.amount, known.currency_code, locale(e.customer_locale));
  },
  amountValue: (e: ShopifyOrder) => {
    const known = total(e);
    return known && decimal(known.amount);
  },
  currency: (e: ShopifyOrder) => total(e)?.currency_code,
};

/** False if the app may not read prices. */
const isFree = (e: ShopifyOrder) => orderAmount.amountValue(e) === 0;

/** None if goods were only restocked. */
const refundPayments = ({ transactions = [] }: ShopifyRefund) =>
  transactions.filter(({ kind, status }) => kind === "refund" && status === "success");
const paidBack = ({ amount_set, amount, currency }: NonNullable<ShopifyRefund["transactions"]>[number]) =>
  amount_set?.presentment_money ?? { amount, currency_code: currency };
// Rounds to the most digits of a currency: 10.1 and 20.2 are 30.3.
const refunded = (refund: ShopifyRefund) =>
  Math.round(refundPayments(refund).reduce((sum, payment) => sum + decimal(paidBack(payment).amount), 0) * 1_000) /
  1_000;
const refundCurrency = (refund: ShopifyRefund) => {
  const [first] = refundPayments(refund);
  return first ? paidBack(first).currency_code : "USD";
};

type Profile = Pick<NonNullable<ShopifyOrder["customer"]>, "id" | "first_name" | "last_name">;
const profile = {
  shopifyCustomerId: (e: Profile) => String(e.id),
  ...guessedParts((e: Profile) => [e], "purchase"),
};

const isOpen = (checkout: ShopifyCheckout) =>
  Boolean(checkout.email) && checkout.buyer_accepts_marketing === true && !checkout.completed_at;

// Unconfirmed: the price is in the currency shown. In most shops it is the shop's.
const price = ({ total_price, presentment_currency, currency }: ShopifyCheckout): ShopifyMoney | undefined => {
  const code = presentment_currency ?? currency;
  return total_price && code ? { amount: total_price, currency_code: code } : undefined;
};
const checkoutAmount = {
  amount: (e: ShopifyCheckout) => {
    const known = price(e);
    return known && moneyOf(known.amount, known.currency_code, locale(e.customer_locale));
  },
  amountValue: (e: ShopifyCheckout) => {
    const known = price(e);
    return known && decimal(known.amount);
  },
  currency: (e: ShopifyCheckout) => price(e)?.currency_code,
};

// Shopify sends mail itself; if you switch it off, add `transactional`. Unmapped: `email_marketing_consent` (it would
// undo unsubscriptions), draft_orders/*, and GDPR topics, which a person must handle.
const shopifyRules = rules(
  shopify,
  [
    {
      name: "customer created",
      on: "customers/create",
      when: (e) => Boolean(e.email),
      contact: { email: (e) => e.email },
      update: profile,
    },
    {
      name: "customer updated",
      on: "customers/update",
      when: (e) => Boolean(e.email),
      contact: { email: (e) => e.email },
      update: profile,
    },
    {
      // Keeps the contact and its unsubscription. The delivery waits for a link of the customer id.
      name: "customer deleted",
      on: "customers/delete",
      contact: (e) => (e.email ? { email: e.email } : customer(String(e.id))),
      event: { name: "customerDeleted", onlyKnown: true },
    },
    {
      // One order sends orders/create, orders/paid and several orders/updated. Only the payment makes this event.
      name: "order completed",
      on: "orders/paid",
      when: hasBuyer,
      contact: buyer,
      update: {
        shopifyCustomerId: customerId,
        ...guessedParts((e: ShopifyOrder) => [e.customer, e.billing_address], "purchase"),
        lastPurchaseAt: (e) => (isFree(e) ? undefined : iso(e.processed_at ?? e.created_at)),
        lastPurchaseAmount: (e) => (isFree(e) ? undefined : orderAmount.amountValue(e)),
        checkoutUrl: null,
        checkoutOpenedAt: null,
      },
      event: {
        name: "orderCompleted",
        properties: {
          ...orderAmount,
          order: (e) => clip(e.name),
          orderUrl: (e) => shortLink(e.order_status_url),
        },
      },
    },
    {
      name: "order fulfilled",
      on: "orders/fulfilled",
      when: hasBuyer,
      contact: buyer,
      event: {
        name: "orderFulfilled",
        properties: {
          order: (e) => clip(e.name),
          carrier: (e) => clip(e.fulfillments?.at(-1)?.tracking_company),
          trackingUrl: (e) => shortLink(e.fulfillments?.at(-1)?.tracking_url),
        },
      },
    },
    {
      name: "order canceled",
      on: "orders/cancelled",
      when: hasBuyer,
      contact: buyer,
      event: {
        name: "orderCanceled",
        properties: { ...orderAmount, order: (e) => clip(e.name), reason: (e) => clip(e.cancel_reason) },
      },
    },
    {
      name: "refunded",
      on: "refunds/create",
      when: (e) => refunded(e) > 0,
      contact: (e) => customer(orderRef(e.order_id)),
      event: {
        name: "refunded",
        properties: {
          amount: (e) => moneyOf(refunded(e), refundCurrency(e)),
          amountValue: (e) => refunded(e),
          currency: refundCurrency,
        },
      },
    },
    // Shopify has no webhook for abandonment. A workflow on checkoutStarted can wait and continue only if
    // `checkoutUrl` is set.
    {
      name: "checkout open",
      on: ["checkouts/create", "checkouts/update"],
      when: isOpen,
      contact: { email: (e) => e.email },
      update: {
        checkoutUrl: (e) => shortLink(e.abandoned_checkout_url),
        checkoutOpenedAt: (e) => iso(e.created_at),
      },
    },
    {
      name: "checkout started",
      on: "checkouts/create",
      when: isOpen,
      contact: { email: (e) => e.email },
      event: {
        name: "checkoutStarted",
        properties: {
          ...checkoutAmount,
          checkoutUrl: (e) => shortLink(e.abandoned_checkout_url),
        },
      },
    },
    {
      name: "checkout closed",
      on: "checkouts/update",
      when: (e) => Boolean(e.email && e.completed_at),
      contact: { email: (e) => e.email },
      update: { checkoutUrl: null, checkoutOpenedAt: null },
    },
  ],
  (e) => {
    switch (e.type) {
      case "customers/create":
      case "customers/update":
        return e.email ? [{ ref: String(e.id), email: e.email }] : [];
      case "orders/create":
      case "orders/paid": {
        const email = orderEmail(e);
        if (!email) return [];
        // Only the customer's address links the customer id; the order's may differ.
        const own = e.customer?.email;
        return [
          { ref: orderRef(e.id), email },
          ...(e.customer && own ? [{ ref: String(e.customer.id), email: own, strength: "purchase" as const }] : []),
        ];
      }
      default:
        return [];
    }
  },
);

export default {
  ...joined(shopify, [shopifyRules, disputes, subscriptionContracts]),
  customerId: "shopifyCustomerId",
};
