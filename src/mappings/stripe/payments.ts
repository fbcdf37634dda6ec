import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";

/** By customer, whose address is the one the team knows; a guest's charge has the address alone. */
const chargeContact = (charge: Stripe.Charge): Contact =>
  charge.customer ? customer(charge.customer) : { email: charge.billing_details.email ?? charge.receipt_email ?? "" };

/** What this refund gave back: the charge itself has the sum of all. Undefined where the former sum is not told. */
const refund = ({ data: { object, previous_attributes } }: Stripe.ChargeRefundedEvent) => {
  const former = previous_attributes?.amount_refunded;
  return former === undefined ? undefined : object.amount_refunded - former;
};

/** As it stands on the card: 04/2027. */
const expiry = ({ exp_month, exp_year }: Stripe.Card) => `${String(exp_month).padStart(2, "0")}/${exp_year}`;

type Dispute = { data: { object: Stripe.Dispute } };

// A dispute names a charge, not a customer; the address is that of the evidence, where Stripe has filled it in.
const disputeContact = { email: (e: Dispute) => e.data.object.evidence.customer_email_address };
const disputedAmount = {
  amount: ({ data: { object } }: Dispute) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Dispute) => majorUnits(object.amount, object.currency),
  currency: (e: Dispute) => e.data.object.currency,
};

/** Money that goes back, and cards: refunds, disputes, cards that expire. */
export default rules(stripe, [
  {
    name: "refunded",
    on: "charge.refunded",
    when: (e) =>
      (refund(e) ?? e.data.object.amount_refunded) > 0 && Object.values(chargeContact(e.data.object)).some(Boolean),
    contact: (e) => chargeContact(e.data.object),
    event: {
      name: "refunded",
      properties: {
        amount: (e) => {
          const amount = refund(e);
          return amount === undefined ? undefined : money(amount, e.data.object.currency);
        },
        amountValue: (e) => {
          const amount = refund(e);
          return amount === undefined ? undefined : majorUnits(amount, e.data.object.currency);
        },
        totalRefunded: (e) => money(e.data.object.amount_refunded, e.data.object.currency),
        totalRefundedValue: (e) => majorUnits(e.data.object.amount_refunded, e.data.object.currency),
        currency: (e) => e.data.object.currency,
        full: (e) => e.data.object.refunded,
        receiptUrl: (e) => shortLink(e.data.object.receipt_url),
      },
    },
  },
  {
    name: "dispute created",
    on: "charge.dispute.created",
    when: (e) => Boolean(e.data.object.evidence.customer_email_address),
    contact: disputeContact,
    event: { name: "disputeCreated", properties: { ...disputedAmount, reason: (e) => e.data.object.reason } },
  },
  {
    name: "dispute closed",
    on: "charge.dispute.closed",
    when: (e) => Boolean(e.data.object.evidence.customer_email_address),
    contact: disputeContact,
    event: {
      name: "disputeClosed",
      properties: {
        ...disputedAmount,
        // "won" and "lost" as Stripe says it, from the team's side.
        status: (e) => e.data.object.status,
      },
    },
  },
  {
    // At the end of the month before, for cards kept as sources. Stripe announces no such thing for payment methods: it
    // renews their cards with the bank (`payment_method.automatically_updated`).
    name: "card expiring",
    on: "customer.source.expiring",
    when: (e) => e.data.object.object === "card" && Boolean(idOf(e.data.object.customer)),
    contact: (e) => (e.data.object.object === "card" ? customer(e.data.object.customer) : {}),
    event: {
      name: "cardExpiring",
      properties: {
        brand: (e) => (e.data.object.object === "card" ? e.data.object.brand : undefined),
        last4: (e) => (e.data.object.object === "card" ? e.data.object.last4 : undefined),
        expires: (e) => (e.data.object.object === "card" ? expiry(e.data.object) : undefined),
      },
    },
  },
]);
