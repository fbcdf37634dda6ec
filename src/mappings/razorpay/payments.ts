import {
  type RazorpayDispute,
  type RazorpayInvoice,
  type RazorpayPayment,
  type RazorpayRefund,
  razorpay,
} from "../../handlers/razorpay.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { firstName, lastName } from "../../rules/people/name.ts";
import { rules } from "../../rules/types.ts";
import { clip, shortLink } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { address, amountOf, payer } from "./payer.ts";

type Paid = { payload: { payment: { entity: RazorpayPayment } } };
type Refund = Paid & { payload: { refund: { entity: RazorpayRefund } } };
type Disputed = Paid & { payload: { dispute: { entity: RazorpayDispute } } };
type Invoice = { payload: { invoice: { entity: RazorpayInvoice } } };

const paid = ({ payload }: Paid) => payload.payment.entity;
const refund = ({ payload }: Refund) => payload.refund.entity;
const dispute = ({ payload }: Disputed) => payload.dispute.entity;
const invoice = ({ payload }: Invoice) => payload.invoice.entity;

const person = (e: Paid) => payer(paid(e));
const hasPayer = (e: Paid) => isKnown(person(e));

const payment = {
  amount: (e: Paid) => amountOf(paid(e)).text,
  amountValue: (e: Paid) => amountOf(paid(e)).value,
  currency: (e: Paid) => paid(e).currency,
};
const refunded = {
  amount: (e: Refund) => amountOf(refund(e)).text,
  amountValue: (e: Refund) => amountOf(refund(e)).value,
  currency: (e: Refund) => refund(e).currency,
};
const disputed = {
  amount: (e: Disputed) => amountOf(dispute(e)).text,
  amountValue: (e: Disputed) => amountOf(dispute(e)).value,
  currency: (e: Disputed) => dispute(e).currency,
  status: (e: Disputed) => dispute(e).status,
};

const amountPaid = (e: Invoice) => invoice(e).amount_paid ?? invoice(e).amount ?? 0;
const billed = (e: Invoice) => {
  const { customer_details: details, customer_id } = invoice(e);
  const email = address(details?.email);
  return email ? { email } : customer(customer_id ?? details?.id);
};

/** Payments of subscriptions and invoices have an invoice, which makes `invoicePaid`. */
export default rules(razorpay, [
  {
    name: "purchase",
    on: "payment.captured",
    when: (e) => hasPayer(e) && paid(e).amount > 0,
    contact: person,
    update: {
      razorpayCustomerId: (e) => paid(e).customer_id ?? undefined,
      lastPurchaseAt: (e) => seconds(paid(e).created_at),
      lastPurchaseAmount: payment.amountValue,
    },
  },
  {
    name: "payment succeeded",
    on: "payment.captured",
    when: (e) => hasPayer(e) && !paid(e).invoice_id,
    contact: person,
    event: {
      name: "paymentSucceeded",
      properties: { ...payment, description: (e) => clip(paid(e).description) },
    },
  },
  {
    name: "payment failed",
    on: "payment.failed",
    when: hasPayer,
    contact: person,
    event: { name: "paymentFailed", properties: { ...payment, reason: (e) => clip(paid(e).error_description) } },
  },
  {
    name: "invoice paid",
    on: "invoice.paid",
    when: (e) => isKnown(billed(e)),
    contact: billed,
    update: {
      firstName: { guess: (e) => clip(firstName(invoice(e).customer_details?.name)), from: "purchase" },
      lastName: { guess: (e) => clip(lastName(invoice(e).customer_details?.name)), from: "purchase" },
    },
    event: {
      name: "invoicePaid",
      properties: {
        amount: (e) => money(amountPaid(e), invoice(e).currency),
        amountValue: (e) => majorUnits(amountPaid(e), invoice(e).currency),
        currency: (e) => invoice(e).currency,
        number: (e) => invoice(e).invoice_number,
        invoiceUrl: (e) => shortLink(invoice(e).short_url),
      },
    },
  },
  {
    name: "payment link paid",
    on: "payment_link.paid",
    when: (e) => Boolean(address(e.payload.payment_link.entity.customer?.email)),
    contact: { email: (e) => address(e.payload.payment_link.entity.customer?.email) },
    update: {
      firstName: { guess: (e) => clip(firstName(e.payload.payment_link.entity.customer?.name)), from: "purchase" },
      lastName: { guess: (e) => clip(lastName(e.payload.payment_link.entity.customer?.name)), from: "purchase" },
    },
  },
  {
    name: "refunded",
    on: "refund.processed",
    when: hasPayer,
    contact: person,
    event: {
      name: "refunded",
      properties: {
        ...refunded,
        totalRefunded: (e) => money(paid(e).amount_refunded ?? refund(e).amount, paid(e).currency),
        totalRefundedValue: (e) => majorUnits(paid(e).amount_refunded ?? refund(e).amount, paid(e).currency),
        full: (e) => paid(e).refund_status === "full",
      },
    },
  },
  {
    name: "refund failed",
    on: "refund.failed",
    when: hasPayer,
    contact: person,
    event: { name: "refundFailed", properties: refunded },
  },
  {
    name: "dispute created",
    on: "payment.dispute.created",
    when: hasPayer,
    contact: person,
    event: {
      name: "disputeCreated",
      properties: { ...disputed, reason: (e) => dispute(e).reason_code },
    },
  },
  {
    // Each dispute also ends with payment.dispute.closed, after won or lost.
    name: "dispute closed",
    on: ["payment.dispute.won", "payment.dispute.lost"],
    when: hasPayer,
    contact: person,
    event: { name: "disputeClosed", properties: disputed },
  },
]);
