import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { planLine } from "../../rules/billing/stripe-lines.ts";
import { customer, isKnown } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";
import { day } from "../../rules/values/day.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { planItem } from "./plans.ts";

// API versions before 2019 lack some fields that Stripe's types require.
type Late = "amount_paid" | "amount_remaining" | "status_transitions" | "lines";
type Older = { paid?: boolean; billing?: Stripe.Invoice["collection_method"] };
type Invoice = Omit<Stripe.Invoice, Late> & Partial<Pick<Stripe.Invoice, Late>> & Older;
type Event = { created: number; data: { object: Invoice } };

const person = ({ data: { object: invoice } }: Event): Contact =>
  invoice.customer_email ? { email: invoice.customer_email } : customer(invoice.customer);

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

const open = {
  amount: ({ data: { object } }: Event) => money(openMinor(object), object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(openMinor(object), object.currency),
  currency: (e: Event) => e.data.object.currency,
};

const purchase = {
  lastPurchaseAt: paidAt,
  lastPurchaseAmount: paid.amountValue,
  // Frozen when the invoice was made, as the address.
  ...guessedName((e: Event) => e.data.object.customer_name, "document"),
};
const isRenewal = (invoice: Invoice) => invoice.billing_reason === "subscription_cycle";

const due = {
  amount: ({ data: { object } }: Event) => money(object.amount_due, object.currency),
  amountValue: ({ data: { object } }: Event) => majorUnits(object.amount_due, object.currency),
  currency: (e: Event) => e.data.object.currency,
};

/** API versions before 2018-10-31 give the first invoice the reason "subscription_update". */
const isFirst = (invoice: Invoice) => invoice.billing_reason === "subscription_create";

const description = ({ data: { object } }: Event) => planLine(object, planItem) ?? "Subscription";

const isCharged = ({ collection_method, billing }: Invoice) => (collection_method ?? billing) !== "send_invoice";

/** First and last attempt only. The others would be up to seven more mails in two weeks. */
const isTold = ({ attempt_count, next_payment_attempt }: Invoice) => attempt_count <= 1 || !next_payment_attempt;

export default rules(stripe, [
  {
    // Before you add a billing reason, read "checkout receipt" in checkout.ts.
    name: "renewal receipt",
    on: "invoice.paid",
    when: (e) => isRenewal(e.data.object) && paidMinor(e.data.object) > 0,
    contact: person,
    transactional: {
      template: "receipt",
      variables: {
        name: (e) => e.data.object.customer_name ?? "there",
        amount: paid.amount,
        description,
        date: (e) => day(e.data.object.status_transitions?.paid_at ?? e.created),
        reference: (e) => e.data.object.number ?? e.data.object.id,
        link: (e) => shortLink(e.data.object.hosted_invoice_url),
      },
    },
  },
  {
    // The first invoice after a trial is a renewal too.
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
        description,
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
    // The bank requires confirmation (3-D Secure). `invoice.payment_failed` is sent too.
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
    // Not for an amount of 0: a trial, a coupon, or a balance.
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
    // Only for unpaid invoices with "send_invoice".
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
    // Not for an amount of 0. Stripe voids an unpaid subscription's first invoice after 23 hours.
    name: "invoice voided",
    on: "invoice.voided",
    when: ({ data: { object } }) =>
      object.amount_due > 0 && (!isFirst(object) || object.collection_method === "send_invoice"),
    contact: currentPerson,
    event: { name: "invoiceVoided", properties: { ...due, number: (e) => e.data.object.number } },
  },
  {
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
