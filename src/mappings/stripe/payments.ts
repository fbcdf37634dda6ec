import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";

/** The contact: the customer, whose address the team knows, or the address of a guest's charge. */
const chargeContact = (charge: Stripe.Charge): Contact =>
  charge.customer ? customer(charge.customer) : { email: charge.billing_details.email ?? charge.receipt_email ?? "" };

/** The amount of this refund: the charge has only the sum of all refunds. Undefined where the former sum is absent. */
const refund = ({ data: { object, previous_attributes } }: Stripe.ChargeRefundedEvent) => {
  const former = previous_attributes?.amount_refunded;
  return former === undefined ? undefined : object.amount_refunded - former;
};

/** The expiry date in the form on the card: 04/2027. */
const expiry = ({ exp_month, exp_year }: Stripe.Card) => `${String(exp_month).padStart(2, "0")}/${exp_year}`;

type Dispute = { data: { object: Stripe.Dispute } };

// A dispute names a charge but no customer. The address is in the evidence, if Stripe has filled it in.
const disputeContact = { email: (e: Dispute) => e.data.object.evidence.customer_email_address };
const disputedAmount = {
  amount: ({ data: { object } }: Dispute) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Dispute) => majorUnits(object.amount, object.currency),
  currency: (e: Dispute) => e.data.object.currency,
};

/** Refunds, disputes and expiring cards. */
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
        // "won" and "lost" are from the team's point of view, as at Stripe.
        status: (e) => e.data.object.status,
      },
    },
  },
  {
    // Sent at the end of the month before, for cards stored as sources. For payment methods Stripe sends nothing: it
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
