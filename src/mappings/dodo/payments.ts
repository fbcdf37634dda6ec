import { type DodoCustomer, type DodoDispute, type DodoPayment, type DodoRefund, dodo } from "../../handlers/dodo.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer } from "../../rules/people/customer.ts";
import { firstName, lastName } from "../../rules/people/name.ts";
import { rules } from "../../rules/types.ts";
import { clip, shortLink } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";

type Payment = { data: DodoPayment };
type Refund = { data: DodoRefund };
type Dispute = { data: DodoDispute };

const person = { email: (e: { data: { customer: DodoCustomer } }) => e.data.customer.email };

const payment = {
  amount: ({ data }: Payment) => money(data.total_amount, data.currency),
  amountValue: ({ data }: Payment) => majorUnits(data.total_amount, data.currency),
  currency: ({ data }: Payment) => data.currency,
};
const refunded = {
  amount: ({ data: { amount, currency } }: Refund) =>
    amount != null && currency ? money(amount, currency) : undefined,
  amountValue: ({ data: { amount, currency } }: Refund) =>
    amount != null && currency ? majorUnits(amount, currency) : undefined,
  currency: ({ data }: Refund) => data.currency ?? undefined,
};
const disputed = { reason: ({ data }: Dispute) => clip(data.reason), stage: ({ data }: Dispute) => data.dispute_stage };

/** A new card is checked with a payment, which buys nothing. */
const isPurchase = ({ data }: Payment) => data.total_amount > 0 && !data.is_update_payment_method;

export default rules(dodo, [
  {
    name: "purchase",
    on: "payment.succeeded",
    when: isPurchase,
    contact: person,
    update: {
      dodoCustomerId: (e) => e.data.customer.customer_id,
      firstName: { guess: (e) => clip(firstName(e.data.customer.name)), from: "purchase" },
      lastName: { guess: (e) => clip(lastName(e.data.customer.name)), from: "purchase" },
      lastPurchaseAt: (e) => iso(e.data.created_at),
      lastPurchaseAmount: payment.amountValue,
    },
  },
  {
    name: "checkout completed",
    on: "payment.succeeded",
    when: (e) => isPurchase(e) && !e.data.subscription_id,
    contact: person,
    event: {
      name: "checkoutCompleted",
      properties: { ...payment, receiptUrl: (e) => shortLink(e.data.invoice_url) },
    },
  },
  {
    // Payments of subscriptions, the first one too.
    name: "invoice paid",
    on: "payment.succeeded",
    when: (e) => isPurchase(e) && Boolean(e.data.subscription_id),
    contact: person,
    event: { name: "invoicePaid", properties: { ...payment, invoiceUrl: (e) => shortLink(e.data.invoice_url) } },
  },
  {
    name: "payment failed",
    on: "payment.failed",
    contact: person,
    event: { name: "paymentFailed", properties: { ...payment, reason: (e) => clip(e.data.error_message) } },
  },
  {
    name: "refunded",
    on: "refund.succeeded",
    contact: person,
    event: {
      name: "refunded",
      properties: { ...refunded, full: (e) => !e.data.is_partial, reason: (e) => clip(e.data.reason) },
    },
  },
  {
    name: "refund failed",
    on: "refund.failed",
    contact: person,
    event: { name: "refundFailed", properties: refunded },
  },
  {
    name: "dispute created",
    on: "dispute.opened",
    contact: person,
    event: { name: "disputeCreated", properties: disputed },
  },
  {
    name: "dispute closed",
    on: ["dispute.won", "dispute.lost", "dispute.accepted", "dispute.cancelled", "dispute.expired"],
    contact: person,
    event: { name: "disputeClosed", properties: { ...disputed, status: (e) => e.data.dispute_status } },
  },
  {
    // Not the key: Dodo mails it, and events are kept.
    name: "license key created",
    on: "license_key.created",
    contact: (e) => customer(e.data.customer_id),
    event: {
      name: "licenseKeyCreated",
      properties: { activations: (e) => e.data.activations_limit, expiresAt: (e) => iso(e.data.expires_at) },
    },
  },
  {
    // In many countries this mail is marketing and requires consent.
    name: "checkout abandoned",
    on: "abandoned_checkout.detected",
    contact: (e) => customer(e.data.customer_id),
    event: { name: "checkoutAbandoned", properties: { reason: (e) => e.data.abandonment_reason } },
  },
]);
