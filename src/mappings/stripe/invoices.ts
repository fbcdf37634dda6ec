import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";
import { day } from "../../rules/values/day.ts";
import { seconds } from "../../rules/values/seconds.ts";

type Event = { data: { object: Stripe.Invoice } };

/** The contact: the invoice's email address, or the customer id where there is none. */
const person = ({ data: { object: invoice } }: Event): Contact =>
  invoice.customer_email ? { email: invoice.customer_email } : customer(invoice.customer);

/** The amount due. */
const due = {
  amount: ({ data: { object } }: Event) => money(object.amount_due, object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(object.amount_due, object.currency),
  currency: (e: Event) => e.data.object.currency,
};

/** True for a subscription's first invoice: the customer is at the checkout and sees its result. */
const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === "subscription_create";

/** A line in the form before API version 2025-03-31, or since. */
type Line = Stripe.InvoiceLineItem & { proration?: boolean };

/** True for a proration: a change in the last period, often listed before the lines of the new period. */
const isProration = ({ proration, parent }: Line) =>
  proration === true ||
  parent?.subscription_item_details?.proration === true ||
  parent?.invoice_item_details?.proration === true;

/** Description of what the invoice is for. */
const description = ({ lines }: Stripe.Invoice) =>
  (lines.data.find((line) => !isProration(line)) ?? lines.data[0])?.description ?? "Subscription";

/** Invoices: paid, failed, finalized, upcoming, and the receipt of a renewal. */
export default rules(stripe, [
  {
    // One receipt per purchase: before you add a billing reason, read the comment at "checkout receipt" in checkout.ts.
    name: "renewal receipt",
    on: "invoice.paid",
    when: (e) => e.data.object.billing_reason === "subscription_cycle" && e.data.object.amount_paid > 0,
    contact: person,
    transactional: {
      template: "receipt",
      variables: {
        name: (e) => e.data.object.customer_name ?? "there",
        amount: (e) => money(e.data.object.amount_paid, e.data.object.currency),
        description: (e) => description(e.data.object),
        date: (e) => day(e.data.object.status_transitions.paid_at ?? e.created),
        reference: (e) => e.data.object.number ?? e.data.object.id,
      },
    },
  },
  {
    name: "payment failed",
    on: "invoice.payment_failed",
    when: (e) => !isFirst(e.data.object),
    contact: person,
    event: {
      name: "paymentFailed",
      properties: {
        amount: (e) => money(e.data.object.amount_remaining, e.data.object.currency),
        amountValue: (e) => majorUnits(e.data.object.amount_remaining, e.data.object.currency),
        currency: (e) => e.data.object.currency,
        attempt: (e) => e.data.object.attempt_count,
        nextAttemptAt: (e) => seconds(e.data.object.next_payment_attempt),
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // A renewal makes its receipt but, to save a call, no event. Remove the condition to start workflows on renewals.
    name: "invoice paid",
    on: "invoice.paid",
    when: (e) => e.data.object.amount_paid > 0 && e.data.object.billing_reason !== "subscription_cycle",
    contact: person,
    update: {
      lastPurchaseAt: (e) => seconds(e.data.object.status_transitions.paid_at ?? e.created),
      lastPurchaseAmount: (e) => majorUnits(e.data.object.amount_paid, e.data.object.currency),
    },
    event: {
      name: "invoicePaid",
      properties: {
        amount: (e) => money(e.data.object.amount_paid, e.data.object.currency),
        amountValue: (e) => majorUnits(e.data.object.amount_paid, e.data.object.currency),
        currency: (e) => e.data.object.currency,
        reason: (e) => e.data.object.billing_reason,
        number: (e) => e.data.object.number,
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // The bank requires the customer's confirmation (3-D Secure). `invoice.payment_failed` is sent as well.
    name: "payment action required",
    on: "invoice.payment_action_required",
    when: (e) => !isFirst(e.data.object),
    contact: person,
    event: {
      name: "paymentActionRequired",
      properties: {
        ...due,
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // Not for an amount of 0: a trial, a coupon, or a balance that covers the invoice.
    name: "invoice finalized",
    on: "invoice.finalized",
    when: (e) => e.data.object.amount_due > 0,
    contact: person,
    event: {
      name: "invoiceFinalized",
      properties: {
        ...due,
        number: (e) => e.data.object.number,
        dueAt: (e) => seconds(e.data.object.due_date),
        // With "send_invoice" the customer must pay; with "charge_automatically" Stripe charges the card.
        collection: (e) => e.data.object.collection_method,
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // A preview: the invoice has no id, number or page yet.
    name: "invoice upcoming",
    on: "invoice.upcoming",
    when: (e) => e.data.object.amount_due > 0,
    contact: person,
    event: {
      name: "invoiceUpcoming",
      properties: {
        ...due,
        chargesAt: (e) => seconds(e.data.object.next_payment_attempt),
      },
    },
  },
]);
