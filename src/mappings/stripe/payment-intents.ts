import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf, isKnown } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import { type Contact, type Link, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { chargedPayment, payerEmail } from "./payments.ts";

/** The longest time in which a payment can be disputed: 13 months for a SEPA debit. */
export const DISPUTABLE = "400d";

/** API versions before 2025-03-31 name the invoice of a payment and of a charge. */
type OfInvoice = { invoice?: string | Stripe.Invoice | null };
type Charges = { charges?: { data: Stripe.Charge[] } };
type Intent = { id: string; created: number; data: { object: Stripe.PaymentIntent & OfInvoice & Charges } };
type Charge = { created: number; data: { object: Stripe.Charge & OfInvoice } };

const person = ({ data: { object } }: Intent): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: object.receipt_email ?? undefined };
/** The payment is linked to its customer, and by the charge to the card's address. Terminals have none. */
const buyer = (e: Intent): Contact => {
  const known = person(e);
  const isInPerson = e.data.object.payment_method_types?.some((type) => type.endsWith("_present"));
  return known.email || (isInPerson && !known.ref) ? known : customer(e.data.object.id);
};
/** Address of the card that was declined. */
const declinedEmail = ({ data: { object } }: Intent): string | undefined =>
  object.receipt_email ?? object.last_payment_error?.payment_method?.billing_details?.email ?? undefined;

/** Id of one attempt: the next card of the payment may be another person's. */
const attemptOf = (e: Intent): string => e.id;
/** The longest time in which a webhook waits for its person. */
const WAITING = "4d";

/** Links of a failed attempt by own code. The card's address counts while the customer has none. */
export const failedLinks = (e: Intent): readonly Link[] => {
  const [email, to] = [declinedEmail(e), idOf(e.data.object.customer)];
  return isOwn(e) && email && to ? [{ ref: attemptOf(e), to, email, strength: "purchase", lifetime: WAITING }] : [];
};

const decliner = (e: Intent): Contact => {
  const email = declinedEmail(e);
  return idOf(e.data.object.customer) ? customer(email ? attemptOf(e) : e.data.object.customer) : { email };
};
const payer = ({ data: { object } }: Charge): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: payerEmail(object) };
const charged = (e: Charge): Contact => (idOf(e.data.object.customer) ? chargedPayment(e.data.object) : payer(e));

/** Session or invoice of a payment; undocumented, but present since late 2025. */
const ORDER = /^(cs|in)_/;

const isOwn = ({ data: { object } }: Intent) =>
  !object.invoice && !ORDER.test(object.payment_details?.order_reference ?? "");
const isOwnCharge = ({ data: { object } }: Charge) => !object.payment_intent && !object.invoice;

const payment = {
  amount: ({ data: { object } }: Intent | Charge) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Intent | Charge) => majorUnits(object.amount, object.currency),
  currency: (e: Intent | Charge) => e.data.object.currency,
  description: (e: Intent | Charge) => clip(e.data.object.description),
};

/** API versions before 2022-11-15 list the charges of a payment; later ones name them. */
const chargeOf = ({ data: { object } }: Intent | Charge): Stripe.Charge | undefined =>
  object.object === "charge" ? object : object.charges?.data[0];

/** Minor units; less than `amount` after a partial capture. */
const receivedMinor = ({ data: { object } }: Intent | Charge) =>
  (object.object === "payment_intent" ? object.amount_received : object.amount_captured) ?? object.amount;

const received = {
  ...payment,
  amount: (e: Intent | Charge) => money(receivedMinor(e), e.data.object.currency),
  amountValue: (e: Intent | Charge) => majorUnits(receivedMinor(e), e.data.object.currency),
};

const purchase = {
  lastPurchaseAt: (e: Intent | Charge) => seconds(e.created),
  lastPurchaseAmount: received.amountValue,
  // On the card, which may be another person's.
  ...guessedName((e: Intent | Charge) => chargeOf(e)?.billing_details?.name, "document"),
};

/**
 * Enable these webhooks only for payments by your code: older one-time Checkout payments look the same. Charges count
 * only without a payment intent (integrations before 2019). For receipts, see "checkout receipt" in checkout.ts.
 */
export default rules(stripe, [
  {
    name: "payment succeeded",
    on: "payment_intent.succeeded",
    when: (e) => isOwn(e) && isKnown(buyer(e)),
    contact: buyer,
    mayStayUnknown: (e) => !isKnown(person(e)),
    update: purchase,
    event: { name: "paymentSucceeded", properties: received },
  },
  {
    name: "payment processing",
    on: "payment_intent.processing",
    when: (e) => isOwn(e) && isKnown(person(e)),
    contact: person,
    event: { name: "paymentProcessing", properties: payment },
  },
  {
    name: "payment attempt failed",
    on: "payment_intent.payment_failed",
    when: (e) => isOwn(e) && isKnown(decliner(e)),
    contact: decliner,
    event: {
      name: "paymentAttemptFailed",
      properties: {
        ...payment,
        reason: (e) => e.data.object.last_payment_error?.decline_code ?? e.data.object.last_payment_error?.code,
      },
    },
  },
  {
    // An authorized charge takes no money. A later capture sends `charge.captured`.
    name: "charge succeeded",
    on: ["charge.succeeded", "charge.captured"],
    when: (e) => e.data.object.captured && isOwnCharge(e) && isKnown(charged(e)),
    contact: charged,
    update: purchase,
    event: { name: "paymentSucceeded", properties: received },
  },
  {
    name: "charge failed",
    on: "charge.failed",
    when: (e) => isOwnCharge(e) && isKnown(payer(e)),
    contact: payer,
    event: {
      name: "paymentAttemptFailed",
      properties: { ...payment, reason: (e) => e.data.object.failure_code },
    },
  },
]);
