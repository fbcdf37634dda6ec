import { type ShopifyDispute, shopify } from "../../handlers/shopify.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { customer } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { orderRef } from "./order-ref.ts";

const amount = {
  amount: (e: ShopifyDispute) => moneyOf(e.amount, e.currency),
  amountValue: (e: ShopifyDispute) => decimal(e.amount),
  currency: (e: ShopifyDispute) => e.currency,
};

const hasOrder = ({ order_id }: ShopifyDispute) => Boolean(order_id);

/** Disputes and inquiries. The contact is the buyer; workflows should inform the team. */
export default rules(shopify, [
  {
    name: "dispute created",
    on: "disputes/create",
    when: hasOrder,
    contact: (e) => customer(orderRef(String(e.order_id))),
    event: { name: "disputeCreated", properties: { ...amount, reason: (e) => e.reason } },
  },
  {
    // Later updates of the dispute say so too.
    name: "dispute closed",
    on: "disputes/update",
    when: (e) => hasOrder(e) && Boolean(e.finalized_on),
    ifStored: { id: (e) => `dispute_${e.id}`, isNot: { closed: true } },
    remember: { id: (e) => `dispute_${e.id}`, state: { closed: true } },
    contact: (e) => customer(orderRef(String(e.order_id))),
    event: {
      name: "disputeClosed",
      properties: {
        ...amount,
        status: (e) => e.status,
      },
    },
  },
]);
