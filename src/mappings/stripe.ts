import type Stripe from "stripe";
import { stripe } from "../handlers/stripe.ts";
import { idOf, type Reference } from "../rules/people/customer.ts";
import { joined, type Link, type ObjectName, type Strength } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import checkout, { sessionEmail } from "./stripe/checkout.ts";
import customers from "./stripe/customers.ts";
import invoices from "./stripe/invoices.ts";
import paymentIntents from "./stripe/payment-intents.ts";
import payments, { payerEmail } from "./stripe/payments.ts";
import quotes from "./stripe/quotes.ts";
import subscriptionMails from "./stripe/subscription-mails.ts";
import subscriptionUpdates from "./stripe/subscription-updates.ts";
import subscriptions from "./stripe/subscriptions.ts";

const link = (reference: Reference, email: string | null | undefined, strength?: Strength): readonly Link[] => {
  const ref = idOf(reference);
  return ref && email ? [{ ref, email, ...(strength ? { strength } : {}) }] : [];
};

type Payment = Pick<Stripe.Charge, "id" | "payment_intent" | "receipt_email" | "billing_details">;

/** A refund, dispute or fraud warning names the payment alone: the payment is linked to the address of its payer. */
const paymentLinks = (charge: Payment): readonly Link[] => {
  const email = payerEmail(charge);
  return [...link(charge.id, email, "purchase"), ...link(charge.payment_intent, email, "purchase")];
};

/**
 * The rules for Stripe are in the folder `stripe`, by topic:
 *
 * - `customers.ts`: a customer created, changed, deleted
 * - `checkout.ts`: a session completed, failed, abandoned; the receipt of a purchase
 * - `invoices.ts`: an invoice paid, failed, finalized, upcoming, overdue, voided; the receipt of a renewal, the mail of a failed payment
 * - `subscriptions.ts`: the state on the contact; started, canceled, paused, resumed, trial ending, pending updates
 * - `plans.ts`: your own names of plans for people
 * - `subscription-updates.ts`: upgraded, downgraded, plan changed, trial converted, cancel scheduled, reactivated, past due, recovered
 * - `subscription-mails.ts`: mails about a trial that ends and a subscription that was cancelled
 * - `payments.ts`: refunds, credit notes, disputes, fraud warnings, expiring cards
 * - `payment-intents.ts`: payments without Checkout and without an invoice
 * - `quotes.ts`: a quote finalized, accepted, canceled
 *
 * This file has the identity links of all of them. Rule names are unique over all files.
 */
const stripeRules = joined(
  stripe,
  [
    customers,
    checkout,
    invoices,
    subscriptions,
    subscriptionUpdates,
    subscriptionMails,
    payments,
    paymentIntents,
    quotes,
  ],
  (e) => {
    switch (e.type) {
      case "customer.created":
      case "customer.updated":
        return link(e.data.object.id, e.data.object.email);
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        // If your client_reference_id is your own user id, you can add it as `userId`. Not by default: it comes from
        // the page that opened Checkout (a payment link takes it from its URL), so anyone could link their address to
        // another person.
        return [
          ...link(e.data.object.customer, sessionEmail(e.data.object), "purchase"),
          ...link(e.data.object.payment_intent, sessionEmail(e.data.object), "purchase"),
        ];
      case "charge.succeeded":
      case "charge.refunded":
        return paymentLinks(e.data.object);
      case "payment_intent.succeeded":
        return link(e.data.object.id, e.data.object.receipt_email, "purchase");
      case "invoice.paid":
      case "invoice.payment_failed":
      case "invoice.payment_action_required":
      case "invoice.finalized":
      case "invoice.upcoming":
      case "invoice.overdue":
      case "invoice.voided":
        // Frozen when the invoice was made. The customer may have another address since.
        return link(e.data.object.customer, e.data.object.customer_email, "document");
      default:
        return [];
    }
  },
);

/** Types of thin events: "v1." and the type of the event with data. Rules need the data. */
const thinEvents = Object.fromEntries(
  stripeRules.rules.flatMap(({ on }) => [on].flat().map((type): [string, string] => [`v1.${type}`, type])),
);

export default {
  ...stripeRules,
  // Stripe sends each of these beside the other one. A rule on both would act twice.
  instead: {
    ...thinEvents,
    "refund.created": "charge.refunded",
    "invoice.payment_succeeded": "invoice.paid",
    "invoice_payment.paid": "invoice.paid",
    "charge.refund.updated": "refund.updated",
  },
  names: (e: Stripe.Event): readonly ObjectName[] => {
    if (e.type !== "product.created" && e.type !== "product.updated") return [];
    const { id, name } = e.data.object;
    const short = clip(name);
    return short ? [{ id, name: short }] : [];
  },
};
