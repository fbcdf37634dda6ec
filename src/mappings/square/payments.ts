import {
  type SquareDispute,
  type SquareInvoice,
  type SquareMoney,
  type SquarePayment,
  type SquareRefund,
  square,
} from "../../handlers/square.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip, shortLink } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";

type Payment = { data: { object: { payment: SquarePayment } } };
type Refund = { data: { object: { refund: SquareRefund } } };
type Invoice = { data: { object: { invoice: SquareInvoice } } };
type Dispute = { data: { object: { dispute: SquareDispute } } };

const amounts = <E>(of: (e: E) => SquareMoney | undefined) => ({
  amount: (e: E) => {
    const given = of(e);
    return given && money(given.amount, given.currency);
  },
  amountValue: (e: E) => {
    const given = of(e);
    return given && majorUnits(given.amount, given.currency);
  },
  currency: (e: E) => of(e)?.currency,
});

const paid = ({ data }: Payment) => data.object.payment;
const refund = ({ data }: Refund) => data.object.refund;
const invoice = ({ data }: Invoice) => data.object.invoice;
const dispute = ({ data }: Dispute) => data.object.dispute;

const buyer = (e: Payment): Contact => {
  const { buyer_email_address: email, customer_id } = paid(e);
  return email ? { email } : customer(customer_id);
};
const recipient = (e: Invoice): Contact => {
  const { email_address: email, customer_id } = invoice(e).primary_recipient ?? {};
  return email ? { email } : customer(customer_id);
};
const refundedBuyer = (e: Refund) => customer(refund(e).payment_id);
const disputedBuyer = (e: Dispute) => customer(dispute(e).disputed_payment?.payment_id);
const hasRecipient = (e: Invoice) => isKnown(recipient(e));

const payment = amounts((e: Payment) => paid(e).total_money ?? paid(e).amount_money);
const refunded = amounts((e: Refund) => refund(e).amount_money);
const disputed = amounts((e: Dispute) => dispute(e).amount_money);

const sum = (all: readonly (SquareMoney | undefined)[]): SquareMoney | undefined => {
  const given = all.filter((one) => one !== undefined);
  const currency = given[0]?.currency;
  return currency ? { amount: given.reduce((total, { amount }) => total + amount, 0), currency } : undefined;
};
const requests = (e: Invoice) => invoice(e).payment_requests ?? [];
const invoiced = amounts((e: Invoice) => sum(requests(e).map(({ computed_amount_money }) => computed_amount_money)));
const received = amounts((e: Invoice) =>
  sum(requests(e).map(({ total_completed_amount_money }) => total_completed_amount_money)),
);

const isPaid = (e: Payment) => paid(e).status === "COMPLETED" && !paid(e).refunded_money && isKnown(buyer(e));

export default rules(square, [
  {
    // Many sales at a till have no buyer.
    name: "payment succeeded",
    on: ["payment.created", "payment.updated"],
    when: isPaid,
    contact: buyer,
    update: {
      squareCustomerId: (e) => paid(e).customer_id,
      lastPurchaseAt: (e) => iso(paid(e).created_at),
      lastPurchaseAmount: payment.amountValue,
    },
    event: {
      name: "paymentSucceeded",
      properties: { ...payment, receiptUrl: (e) => shortLink(paid(e).receipt_url) },
    },
  },
  {
    name: "payment failed",
    on: ["payment.created", "payment.updated"],
    when: (e) => paid(e).status === "FAILED" && isKnown(buyer(e)),
    contact: buyer,
    event: { name: "paymentFailed", properties: payment },
  },
  {
    name: "invoice paid",
    on: "invoice.payment_made",
    when: hasRecipient,
    contact: recipient,
    update: {
      firstName: { guess: (e) => clip(invoice(e).primary_recipient?.given_name) || undefined, from: "purchase" },
      lastName: { guess: (e) => clip(invoice(e).primary_recipient?.family_name) || undefined, from: "purchase" },
    },
    event: {
      name: "invoicePaid",
      properties: {
        ...received,
        number: (e) => invoice(e).invoice_number,
        invoiceUrl: (e) => shortLink(invoice(e).public_url),
      },
    },
  },
  {
    name: "invoice payment failed",
    on: "invoice.scheduled_charge_failed",
    when: hasRecipient,
    contact: recipient,
    event: {
      name: "paymentFailed",
      properties: { ...invoiced, invoiceUrl: (e) => shortLink(invoice(e).public_url) },
    },
  },
  {
    name: "refunded",
    on: ["refund.created", "refund.updated"],
    when: (e) => refund(e).status === "COMPLETED" && isKnown(refundedBuyer(e)),
    contact: refundedBuyer,
    mayStayUnknown: () => true,
    event: { name: "refunded", properties: { ...refunded, reason: (e) => clip(refund(e).reason) } },
  },
  {
    name: "refund failed",
    on: ["refund.created", "refund.updated"],
    when: (e) => ["FAILED", "REJECTED"].includes(refund(e).status) && isKnown(refundedBuyer(e)),
    contact: refundedBuyer,
    mayStayUnknown: () => true,
    event: { name: "refundFailed", properties: refunded },
  },
  {
    name: "dispute created",
    on: "dispute.created",
    when: (e) => isKnown(disputedBuyer(e)),
    contact: disputedBuyer,
    mayStayUnknown: () => true,
    event: { name: "disputeCreated", properties: { ...disputed, reason: (e) => dispute(e).reason } },
  },
  {
    name: "dispute closed",
    on: "dispute.state.updated",
    when: (e) => ["WON", "LOST", "ACCEPTED"].includes(dispute(e).state) && isKnown(disputedBuyer(e)),
    contact: disputedBuyer,
    mayStayUnknown: () => true,
    event: { name: "disputeClosed", properties: { ...disputed, status: (e) => dispute(e).state } },
  },
]);
