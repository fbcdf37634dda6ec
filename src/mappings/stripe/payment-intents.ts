import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { payerEmail } from "./payments.ts";

type Intent = { data: { object: Stripe.PaymentIntent } };
type Charge = { data: { object: Stripe.Charge } };

/** The contact: the customer, or the address for the receipt. */
const person = ({ data: { object } }: Intent): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: object.receipt_email ?? undefined };
const payer = ({ data: { object } }: Charge): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: payerEmail(object) };

const isKnown = ({ email, ref }: Contact) => Boolean(email ?? ref);

const payment = {
  amount: ({ data: { object } }: Intent | Charge) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Intent | Charge) => majorUnits(object.amount, object.currency),
  currency: (e: Intent | Charge) => e.data.object.currency,
  description: (e: Intent | Charge) => clip(e.data.object.description),
};

/**
 * Payments without Checkout and without an invoice. Stripe sends these webhooks for the payments of checkouts and
 * invoices too, which have rules of their own: enable them at the endpoint only if you take payments by your own code.
 * A charge makes an event only where it has no payment intent, as in integrations from before 2019.
 */
export default rules(stripe, [
  {
    name: "payment succeeded",
    on: "payment_intent.succeeded",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: { name: "paymentSucceeded", properties: payment },
  },
  {
    // A bank debit or transfer: the money arrives days later.
    name: "payment processing",
    on: "payment_intent.processing",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: { name: "paymentProcessing", properties: payment },
  },
  {
    name: "payment attempt failed",
    on: "payment_intent.payment_failed",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: {
      name: "paymentAttemptFailed",
      properties: {
        ...payment,
        reason: (e) => e.data.object.last_payment_error?.decline_code ?? e.data.object.last_payment_error?.code,
      },
    },
  },
  {
    name: "charge succeeded",
    on: "charge.succeeded",
    when: (e) => !e.data.object.payment_intent && isKnown(payer(e)),
    contact: payer,
    event: { name: "paymentSucceeded", properties: payment },
  },
  {
    name: "charge failed",
    on: "charge.failed",
    when: (e) => !e.data.object.payment_intent && isKnown(payer(e)),
    contact: payer,
    event: {
      name: "paymentAttemptFailed",
      properties: { ...payment, reason: (e) => e.data.object.failure_code },
    },
  },
]);
