import {
  type ShopifyCheckout,
  type ShopifyMoney,
  type ShopifyOrder,
  type ShopifyRefund,
  shopify,
} from "../handlers/shopify.ts";
import { decimal, moneyOf } from "../rules/billing/decimal.ts";
import { customer } from "../rules/people/customer.ts";
import { type Contact, rules } from "../rules/types.ts";
import { clip, shortLink } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { locale } from "../rules/values/locale.ts";

/** A refund names an order and nobody: an order's webhook says whose it is. Customers' ids are as they are. */
const orderRef = (id: number) => `order:${id}`;

const orderEmail = (order: ShopifyOrder) => order.email || order.contact_email || order.customer?.email || undefined;

/** By address where the order has one (an order by phone has none), else by the customer. */
const buyer = (order: ShopifyOrder): Contact => {
  const email = orderEmail(order);
  return email ? { email } : customer(order.customer ? String(order.customer.id) : undefined);
};

const hasBuyer = (order: ShopifyOrder) => Object.keys(buyer(order)).length > 0;

/** In the currency the person paid in. */
const total = (order: ShopifyOrder): ShopifyMoney =>
  order.total_price_set?.presentment_money ?? { amount: order.total_price, currency_code: order.currency };

const orderAmount = {
  amount: (e: ShopifyOrder) => moneyOf(total(e).amount, total(e).currency_code, locale(e.customer_locale)),
  amountValue: (e: ShopifyOrder) => decimal(total(e).amount),
  currency: (e: ShopifyOrder) => total(e).currency_code,
};

/** The money that went back: a refund without any restocks only. */
const given = ({ transactions = [] }: ShopifyRefund) =>
  transactions.filter(({ kind, status }) => kind === "refund" && status === "success");
// A sum of decimals, rounded to what the finest currency has: 10.1 and 20.2 are 30.3.
const refunded = (refund: ShopifyRefund) =>
  Math.round(given(refund).reduce((sum, { amount }) => sum + decimal(amount), 0) * 1_000) / 1_000;
const refundCurrency = (refund: ShopifyRefund) => given(refund)[0]?.currency ?? "USD";

/** Somebody who left an address at a checkout and agreed to hear from the shop; without that, it is nobody's contact yet. */
const isOpen = (checkout: ShopifyCheckout) =>
  Boolean(checkout.email) && checkout.buyer_accepts_marketing === true && !checkout.completed_at;

// No mail: Shopify sends order, shipping and refund mail itself. If you switch those off (Settings → Notifications), add
// `transactional` to the rules you want mail from.
//
// Not here on purpose:
// - `subscribed` and mailing lists: a customer's consent at Shopify (`email_marketing_consent`, and the topic
//   customers_email_marketing_consent/update) would bring back who unsubscribed here. To follow it, add `lists`, or
//   `subscribed` to an update, and say so.
// - customers/redact, customers/data_request and shop/redact: they are the law's (GDPR) and want a person's answer. For
//   customers/redact, `remove: "delete"` in a rule of yours is what deletes the contact.
export default rules(
  shopify,
  [
    {
      name: "customer created",
      on: "customers/create",
      when: (e) => Boolean(e.email),
      contact: { email: (e) => e.email },
      update: {
        shopifyCustomerId: (e) => String(e.id),
        firstName: (e) => clip(e.first_name),
        lastName: (e) => clip(e.last_name),
      },
    },
    {
      name: "customer updated",
      on: "customers/update",
      when: (e) => Boolean(e.email),
      contact: { email: (e) => e.email },
      // No name here: by now the person may have written a better one elsewhere.
      update: { shopifyCustomerId: (e) => String(e.id) },
    },
    {
      // The contact stays: deleting it would forget that the person unsubscribed. To end its mail add
      // `remove: "unsubscribe"`, to forget the person `remove: "delete"`. The webhook has no address, so this waits for one
      // that says whose the id is.
      name: "customer deleted",
      on: "customers/delete",
      contact: (e) => (e.email ? { email: e.email } : customer(String(e.id))),
      event: { name: "customerDeleted" },
    },
    {
      // One order gives orders/create, orders/paid and several orders/updated: the money decides.
      name: "order completed",
      on: "orders/paid",
      when: hasBuyer,
      contact: buyer,
      update: {
        shopifyCustomerId: (e) => (e.customer ? String(e.customer.id) : undefined),
        lastPurchaseAt: (e) => iso(e.processed_at ?? e.created_at),
        lastPurchaseAmount: orderAmount.amountValue,
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
          // Nothing here tells the customer's locale.
          amount: (e) => moneyOf(refunded(e), refundCurrency(e)),
          amountValue: (e) => refunded(e),
          currency: refundCurrency,
        },
      },
    },
    // Shopify has no webhook of an abandoned checkout, only of one that goes on. While it is open the contact has its
    // address: a workflow that starts at checkoutStarted, waits, and goes on only where `checkoutUrl` is still set reaches
    // those who left.
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
          // That a checkout's price is in the currency the person sees is unconfirmed; in most shops it is the shop's own.
          amount: (e) => moneyOf(e.total_price, e.presentment_currency ?? e.currency, locale(e.customer_locale)),
          amountValue: (e) => decimal(e.total_price),
          currency: (e) => e.presentment_currency ?? e.currency,
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
        // The address of the order is not always the customer's own; that one says who the customer is.
        const own = e.customer?.email;
        return [
          { ref: orderRef(e.id), email },
          ...(e.customer && own ? [{ ref: String(e.customer.id), email: own }] : []),
        ];
      }
      default:
        return [];
    }
  },
);
