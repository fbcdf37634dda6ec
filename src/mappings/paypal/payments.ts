import {
  type PayPalCapture,
  type PayPalDispute,
  type PayPalRefund,
  type PayPalSale,
  type PayPalSaleRefund,
  payPal,
} from "../../handlers/paypal.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";
import { moneyIn, numberIn } from "./payer.ts";

type Sale = { resource: PayPalSale };
type Capture = { resource: PayPalCapture };
type SaleRefund = { resource: PayPalSaleRefund };
type Refund = { resource: PayPalRefund };
type Dispute = { resource: PayPalDispute };

const sale = {
  amount: ({ resource: { amount } }: Sale) => moneyOf(amount.total, amount.currency),
  amountValue: ({ resource: { amount } }: Sale) => decimal(amount.total),
  currency: ({ resource: { amount } }: Sale) => amount.currency,
};
/** Some refunds have negative amounts. */
const returned = (value: string) => Math.abs(decimal(value));
const saleTotal = ({ resource }: SaleRefund) => resource.total_refunded_amount;
const captured = {
  amount: ({ resource }: Capture | Refund) => moneyIn(resource.amount),
  amountValue: ({ resource }: Capture | Refund) => numberIn(resource.amount),
  currency: ({ resource }: Capture | Refund) => resource.amount.currency_code,
};
const disputed = {
  amount: ({ resource }: Dispute) => moneyIn(resource.dispute_amount),
  amountValue: ({ resource }: Dispute) => numberIn(resource.dispute_amount),
  currency: ({ resource }: Dispute) => resource.dispute_amount.currency_code,
};

const buyer = ({ resource }: Capture) => customer(resource.supplementary_data?.related_ids?.order_id);
const hasBuyer = (e: Capture) => isKnown(buyer(e));
/** A refund names its capture in the link to it. */
const refundedBuyer = ({ resource }: Refund) =>
  customer(/\/captures\/([^/?]+)/.exec(resource.links?.find(({ rel }) => rel === "up")?.href ?? "")?.[1]);
const disputedBuyer = ({ resource }: Dispute) => customer(resource.disputed_transactions?.[0]?.seller_transaction_id);
const total = ({ resource }: Refund) => resource.seller_payable_breakdown?.total_refunded_amount;

export default rules(payPal, [
  {
    // Payments of subscriptions, the first one too.
    name: "invoice paid",
    on: "PAYMENT.SALE.COMPLETED",
    when: (e) => Boolean(e.resource.billing_agreement_id) && decimal(e.resource.amount.total) > 0,
    contact: (e) => customer(e.resource.billing_agreement_id),
    update: { lastPurchaseAt: (e) => iso(e.resource.create_time), lastPurchaseAmount: sale.amountValue },
    event: { name: "invoicePaid", properties: sale },
  },
  {
    name: "checkout completed",
    on: "PAYMENT.CAPTURE.COMPLETED",
    when: hasBuyer,
    contact: buyer,
    update: { lastPurchaseAt: (e) => iso(e.resource.create_time), lastPurchaseAmount: captured.amountValue },
    event: { name: "checkoutCompleted", properties: captured },
  },
  {
    name: "payment failed",
    on: "PAYMENT.CAPTURE.DENIED",
    when: hasBuyer,
    contact: buyer,
    event: { name: "paymentFailed", properties: captured },
  },
  {
    name: "buyer",
    on: "CHECKOUT.ORDER.COMPLETED",
    when: (e) => Boolean(e.resource.payer?.email_address),
    contact: { email: (e) => e.resource.payer?.email_address },
    update: {
      payPalPayerId: (e) => e.resource.payer?.payer_id,
      firstName: { guess: (e) => clip(e.resource.payer?.name?.given_name) || undefined, from: "purchase" },
      lastName: { guess: (e) => clip(e.resource.payer?.name?.surname) || undefined, from: "purchase" },
    },
  },
  {
    name: "refunded",
    on: "PAYMENT.CAPTURE.REFUNDED",
    when: (e) => isKnown(refundedBuyer(e)),
    contact: refundedBuyer,
    event: {
      name: "refunded",
      properties: {
        ...captured,
        totalRefunded: (e) => {
          const amount = total(e);
          return amount && moneyIn(amount);
        },
        totalRefundedValue: (e) => {
          const amount = total(e);
          return amount && numberIn(amount);
        },
      },
    },
  },
  {
    name: "subscription payment refunded",
    on: "PAYMENT.SALE.REFUNDED",
    contact: (e) => customer(e.resource.sale_id),
    event: {
      name: "refunded",
      properties: {
        amount: ({ resource: { amount } }) => moneyOf(returned(amount.total), amount.currency),
        amountValue: ({ resource: { amount } }) => returned(amount.total),
        currency: (e) => e.resource.amount.currency,
        totalRefunded: (e) => {
          const amount = saleTotal(e);
          return amount && moneyOf(returned(amount.value), amount.currency);
        },
        totalRefundedValue: (e) => {
          const amount = saleTotal(e);
          return amount && returned(amount.value);
        },
      },
    },
  },
  {
    name: "dispute created",
    on: "CUSTOMER.DISPUTE.CREATED",
    when: (e) => isKnown(disputedBuyer(e)),
    contact: disputedBuyer,
    event: { name: "disputeCreated", properties: { ...disputed, reason: (e) => e.resource.reason } },
  },
  {
    name: "dispute closed",
    on: "CUSTOMER.DISPUTE.RESOLVED",
    when: (e) => isKnown(disputedBuyer(e)),
    contact: disputedBuyer,
    event: {
      name: "disputeClosed",
      properties: { ...disputed, status: (e) => e.resource.dispute_outcome?.outcome_code ?? e.resource.status },
    },
  },
]);
