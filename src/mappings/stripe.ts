import type Stripe from "stripe";
import { stripe } from "../handlers/stripe.ts";
import { idOf, type Reference } from "../rules/people/customer.ts";
import { joined, type Link, type ObjectName, type Strength } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import checkout, { sessionEmail } from "./stripe/checkout.ts";
import customers from "./stripe/customers.ts";
import invoices from "./stripe/invoices.ts";
import paymentIntents, { DISPUTABLE, failedLinks } from "./stripe/payment-intents.ts";
import payments, { payerEmail } from "./stripe/payments.ts";
import quotes from "./stripe/quotes.ts";
import subscriptionMails from "./stripe/subscription-mails.ts";
import subscriptionUpdates from "./stripe/subscription-updates.ts";
import subscriptions, { choicesOf } from "./stripe/subscriptions.ts";

const link = (reference: Reference, email: string | null | undefined, strength?: Strength): readonly Link[] => {
  const ref = idOf(reference);
  return ref && email ? [{ ref, email, ...(strength ? { strength } : {}) }] : [];
};

/** Refunds, disputes and fraud warnings name only the payment, so it is linked to its customer, or to an address. */
const paymentLink = (payment: Reference, payer: Reference, email: string | null | undefined): readonly Link[] => {
  const [ref, to] = [idOf(payment), idOf(payer)];
  if (!ref || !(to || email)) return [];
  const about = { strength: "purchase", lifetime: DISPUTABLE } as const;
  return [{ ref, ...(to ? { to } : {}), ...(email ? { email } : {}), ...about }];
};

type Payment = Pick<Stripe.Charge, "id" | "customer" | "payment_intent" | "receipt_email" | "billing_details">;

/** A customer without an address at the charge takes one row, so only the id that disputes name first is linked. */
const chargeLinks = (charge: Payment): readonly Link[] => {
  const email = payerEmail(charge);
  const ids = email ? [charge.id, charge.payment_intent] : [charge.payment_intent ?? charge.id];
  return ids.flatMap((id) => paymentLink(id, charge.customer, email));
};

/**
 * Stripe rules by topic are in the folder `stripe`. This file has all identity links. Rule names are unique over all
 * files.
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
        // `client_reference_id` is no `userId` by default: it comes from the page and may name another person.
        return [
          ...link(e.data.object.customer, sessionEmail(e.data.object), "purchase"),
          ...paymentLink(e.data.object.payment_intent, e.data.object.customer, sessionEmail(e.data.object)),
        ];
      case "charge.succeeded":
      case "charge.captured":
      case "charge.refunded":
        return chargeLinks(e.data.object);
      case "payment_intent.succeeded":
        return paymentLink(e.data.object.id, e.data.object.customer, e.data.object.receipt_email);
      case "payment_intent.payment_failed":
        return failedLinks(e);
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

export default {
  ...stripeRules,
  customerId: "stripeCustomerId",
  choices: (event: Stripe.Event) =>
    event.data.object.object === "subscription" ? choicesOf({ event, id: event.data.object.id }) : undefined,
  // Stripe sends both. A rule on both would act twice.
  instead: {
    "refund.created": "charge.refunded",
    "invoice.payment_succeeded": "invoice.paid",
    "invoice_payment.paid": "invoice.paid",
    "charge.refund.updated": "refund.updated",
  },
  namedBy: ["product.created", "product.updated"],
  names: (e: Stripe.Event): readonly ObjectName[] => {
    if (e.type !== "product.created" && e.type !== "product.updated") return [];
    const { id, name } = e.data.object;
    const short = clip(name);
    return short ? [{ id, name: short }] : [];
  },
};
