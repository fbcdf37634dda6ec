import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";
import { day } from "../../rules/values/day.ts";
import { seconds } from "../../rules/values/seconds.ts";

// API versions before 2019 lack some fields that Stripe's types require, and have others.
type Late = "amount_paid" | "amount_remaining" | "status_transitions" | "lines";
type Older = { paid?: boolean; billing?: Stripe.Invoice["collection_method"] };
type Invoice = Omit<Stripe.Invoice, Late> & Partial<Pick<Stripe.Invoice, Late>> & Older;
type Event = { created: number; data: { object: Invoice } };

/** The contact: the invoice's email address, or the customer id where there is none. */
const person = ({ data: { object: invoice } }: Event): Contact =>
  invoice.customer_email ? { email: invoice.customer_email } : customer(invoice.customer);

/** The same for an invoice that is old by then. Its address is frozen: the customer may have another one since. */
const currentPerson = (e: Event): Contact => {
  const known = customer(e.data.object.customer);
  return isKnown(known) ? known : person(e);
};

const paidMinor = ({ amount_paid, amount_due, paid }: Invoice) => amount_paid ?? (paid ? amount_due : 0);
const openMinor = ({ amount_remaining, amount_due }: Invoice) => amount_remaining ?? amount_due;
const paidAt = (e: Event) => seconds(e.data.object.status_transitions?.paid_at ?? e.created);

const paid = {
  amount: ({ data: { object } }: Event) => money(paidMinor(object), object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(paidMinor(object), object.currency),
  currency: (e: Event) => e.data.object.currency,
};

/** What is not paid yet. */
const open = {
  amount: ({ data: { object } }: Event) => money(openMinor(object), object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(openMinor(object), object.currency),
  currency: (e: Event) => e.data.object.currency,
};

const purchase = { lastPurchaseAt: paidAt, lastPurchaseAmount: paid.amountValue };
const isRenewal = (invoice: Invoice) => invoice.billing_reason === "subscription_cycle";

/** The amount due. */
const due = {
  amount: ({ data: { object } }: Event) => money(object.amount_due, object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(object.amount_due, object.currency),
  currency: (e: Event) => e.data.object.currency,
};

/**
 * True for a subscription's first invoice: the customer is at the checkout and sees its result. API versions before
 * 2018-10-31 give it the reason of a change, "subscription_update".
 */
const isFirst = (invoice: Invoice) => invoice.billing_reason === "subscription_create";

/** A line in the form before API version 2025-03-31, or since. */
type Line = Stripe.InvoiceLineItem & { proration?: boolean };

/** True for a proration: a change in the last period, often listed before the lines of the new period. */
const isProration = ({ proration, parent }: Line) =>
  proration === true ||
  parent?.subscription_item_details?.proration === true ||
  parent?.invoice_item_details?.proration === true;

/** Description of what the invoice is for: of its largest line, or of its first one if all are prorations. */
const description = ({ lines }: Invoice) => {
  const all = lines?.data ?? [];
  const [largest] = all.filter((line) => !isProration(line)).toSorted((a, b) => b.amount - a.amount);
  return (largest ?? all[0])?.description ?? "Subscription";
};

/** True where the provider charges the customer by itself; the other customers pay on a page and see the result there. */
const isCharged = ({ collection_method, billing }: Invoice) => (collection_method ?? billing) !== "send_invoice";

/** True for the first and for the last attempt. Those in between would be up to seven more mails in two weeks. */
const isTold = ({ attempt_count, next_payment_attempt }: Invoice) => attempt_count <= 1 || !next_payment_attempt;

/** Invoices: paid, failed, finalized, upcoming, overdue, voided, and the receipt of a renewal. */
export default rules(stripe, [
  {
    // One receipt per purchase: before you add a billing reason, read the comment at "checkout receipt" in checkout.ts.
    name: "renewal receipt",
    on: "invoice.paid",
    when: (e) => isRenewal(e.data.object) && paidMinor(e.data.object) > 0,
    contact: person,
    transactional: {
      template: "receipt",
      variables: {
        name: (e) => e.data.object.customer_name ?? "there",
        amount: paid.amount,
        description: (e) => description(e.data.object),
        date: (e) => day(e.data.object.status_transitions?.paid_at ?? e.created),
        reference: (e) => e.data.object.number ?? e.data.object.id,
        link: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // The first invoice after a trial is a renewal too; "trial converted" makes an event of its own.
    name: "subscription renewed",
    on: "invoice.paid",
    when: (e) => isRenewal(e.data.object) && paidMinor(e.data.object) > 0,
    contact: person,
    update: purchase,
    event: {
      name: "subscriptionRenewed",
      properties: {
        ...paid,
        number: (e) => e.data.object.number,
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
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
        ...open,
        attempt: (e) => e.data.object.attempt_count,
        nextAttemptAt: (e) => seconds(e.data.object.next_payment_attempt),
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    name: "payment failed mail",
    on: "invoice.payment_failed",
    when: ({ data: { object } }) => !isFirst(object) && isCharged(object) && isTold(object) && openMinor(object) > 0,
    contact: person,
    transactional: {
      template: "payment-failed",
      variables: {
        name: (e) => e.data.object.customer_name ?? "there",
        amount: open.amount,
        description: (e) => description(e.data.object),
        next: ({ data: { object } }) =>
          object.next_payment_attempt
            ? `We will try again on ${day(object.next_payment_attempt)}.`
            : "This was the last attempt: please pay it yourself.",
        link: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    name: "invoice paid",
    on: "invoice.paid",
    when: (e) => paidMinor(e.data.object) > 0 && !isRenewal(e.data.object),
    contact: person,
    update: purchase,
    event: {
      name: "invoicePaid",
      properties: {
        ...paid,
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
        collection: (e: Event) => e.data.object.collection_method ?? e.data.object.billing,
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // Not paid by its due date. Only for invoices that the customer pays by hand ("send_invoice").
    name: "invoice overdue",
    on: "invoice.overdue",
    contact: currentPerson,
    event: {
      name: "invoiceOverdue",
      properties: {
        ...open,
        number: (e) => e.data.object.number,
        dueAt: (e) => seconds(e.data.object.due_date),
        invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // Not for an amount of 0. If a subscription is never paid, Stripe voids its first invoice after 23 hours.
    name: "invoice voided",
    on: "invoice.voided",
    when: ({ data: { object } }) =>
      object.amount_due > 0 && (!isFirst(object) || object.collection_method === "send_invoice"),
    contact: currentPerson,
    event: { name: "invoiceVoided", properties: { ...due, number: (e) => e.data.object.number } },
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
