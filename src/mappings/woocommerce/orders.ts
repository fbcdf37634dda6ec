import { isPaid, type WooCommerceOrder, wooCommerce } from "../../handlers/woocommerce.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { isKnown } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { buyer, gmt, product } from "./buyer.ts";

const total = {
  amount: (e: WooCommerceOrder) => moneyOf(e.total, e.currency),
  amountValue: (e: WooCommerceOrder) => decimal(e.total),
  currency: (e: WooCommerceOrder) => e.currency,
  number: (e: WooCommerceOrder) => e.number,
};

const hasBuyer = (e: WooCommerceOrder) => isKnown(buyer(e));
const isBought = (e: WooCommerceOrder) => isPaid(e) && hasBuyer(e) && decimal(e.total) > 0;
const isRenewal = (e: WooCommerceOrder) => e.created_via === "subscription";
const refunded = ({ refunds }: WooCommerceOrder) =>
  refunds.reduce((sum, refund) => sum + Math.abs(decimal(refund.total)), 0);

const ON = ["order.created", "order.updated"] as const;

// WooCommerce sends mail itself. Each of these is told once: see the id in the handler.
export default rules(wooCommerce, [
  {
    name: "purchase",
    on: ON,
    when: isBought,
    contact: buyer,
    update: {
      firstName: { guess: (e) => clip(e.billing.first_name) || undefined, from: "purchase" },
      lastName: { guess: (e) => clip(e.billing.last_name) || undefined, from: "purchase" },
      lastPurchaseAt: (e) => gmt(e.date_paid_gmt),
      lastPurchaseAmount: total.amountValue,
    },
  },
  {
    name: "checkout completed",
    on: ON,
    when: (e) => isPaid(e) && hasBuyer(e) && !isRenewal(e),
    contact: buyer,
    event: { name: "checkoutCompleted", properties: { ...total, product } },
  },
  {
    name: "subscription renewed",
    on: ON,
    when: (e) => isBought(e) && isRenewal(e),
    contact: buyer,
    event: { name: "subscriptionRenewed", properties: { ...total, plan: product, planName: product } },
  },
  {
    name: "payment failed",
    on: ON,
    when: (e) => e.status === "failed" && hasBuyer(e),
    contact: buyer,
    event: { name: "paymentFailed", properties: total },
  },
  {
    name: "refunded",
    on: ON,
    when: (e) => e.refunds.length > 0 && hasBuyer(e),
    contact: buyer,
    event: {
      name: "refunded",
      properties: {
        totalRefunded: (e) => moneyOf(refunded(e), e.currency),
        totalRefundedValue: refunded,
        currency: (e) => e.currency,
        number: (e) => e.number,
        full: (e) => e.status === "refunded",
      },
    },
  },
  {
    name: "order canceled",
    on: ON,
    when: (e) => e.status === "cancelled" && e.refunds.length === 0 && hasBuyer(e),
    contact: buyer,
    event: { name: "orderCanceled", properties: total },
  },
]);
