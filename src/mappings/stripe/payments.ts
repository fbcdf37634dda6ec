import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf, isKnown } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { became } from "../../rules/values/changed.ts";
import { shortLink } from "../../rules/values/clip.ts";

/** API versions before 2018-11-08 have no `billing_details`. */
export const payerEmail = (
  charge: Pick<Stripe.Charge, "receipt_email"> & Partial<Pick<Stripe.Charge, "billing_details">>,
) => charge.billing_details?.email ?? charge.receipt_email ?? undefined;

const chargeContact = (charge: Stripe.Charge): Contact =>
  charge.customer ? customer(charge.customer) : { email: payerEmail(charge) };

/** The payment of a charge, which is linked to its customer and to the card's or the checkout's address. */
export const chargedPayment = ({ payment_intent, id }: Stripe.Charge): Contact => customer(idOf(payment_intent) ?? id);

const refundContact = ({ data: { object } }: Stripe.ChargeRefundedEvent): Contact => {
  const own = chargeContact(object);
  return own.email ? own : chargedPayment(object);
};

type OfPayment = {
  charge?: string | Stripe.Charge | null;
  payment_intent?: string | Stripe.PaymentIntent | null;
};

/** Uses the expanded charge's contact, else the payment, which other webhooks or a fetch-back link to an address. */
const paymentContact = ({ charge, payment_intent }: OfPayment): Contact => {
  const own = typeof charge === "object" && charge ? chargeContact(charge) : {};
  return isKnown(own) ? own : customer(idOf(payment_intent) ?? idOf(charge));
};

/** The charge has only the refund sum. Undefined if the former sum is absent. */
const refund = ({ data: { object, previous_attributes } }: Stripe.ChargeRefundedEvent) => {
  const former = previous_attributes?.amount_refunded;
  return former === undefined ? undefined : object.amount_refunded - former;
};

const expiry = ({ exp_month, exp_year }: Stripe.Card) => `${String(exp_month).padStart(2, "0")}/${exp_year}`;

type Dispute = { data: { object: Stripe.Dispute } };

// A dispute names no customer. The address is in the evidence, if Stripe filled it in.
const disputeContact = ({ data: { object } }: Dispute): Contact => {
  const email = object.evidence?.customer_email_address;
  return email ? { email } : paymentContact(object);
};
const disputedAmount = {
  amount: ({ data: { object } }: Dispute) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Dispute) => majorUnits(object.amount, object.currency),
  currency: (e: Dispute) => e.data.object.currency,
};

type Refund = { data: { object: Stripe.Refund } };
const refundAmount = {
  amount: ({ data: { object } }: Refund) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Refund) => majorUnits(object.amount, object.currency),
  currency: (e: Refund) => e.data.object.currency,
};

type CreditNote = { data: { object: Stripe.CreditNote } };
const credit = {
  amount: ({ data: { object } }: CreditNote) => money(object.total, object.currency),
  amountValue: ({ data: { object } }: CreditNote) => majorUnits(object.total, object.currency),
  currency: (e: CreditNote) => e.data.object.currency,
  number: (e: CreditNote) => e.data.object.number,
};

export default rules(stripe, [
  {
    // API versions before 2025-03-31 also send it for a payment canceled before capture.
    name: "refunded",
    on: "charge.refunded",
    when: (e) => e.data.object.captured && (refund(e) ?? e.data.object.amount_refunded) > 0,
    contact: refundContact,
    mayStayUnknown: (e) => !isKnown(chargeContact(e.data.object)),
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
    // Also sent as refund.updated and charge.refund.updated.
    name: "refund failed",
    on: "refund.failed",
    when: (e) => isKnown(paymentContact(e.data.object)),
    contact: (e) => paymentContact(e.data.object),
    event: { name: "refundFailed", properties: { ...refundAmount, reason: (e) => e.data.object.failure_reason } },
  },
  {
    // Refunds to some kinds of account arrive days after charge.refunded.
    name: "refund arrived",
    on: "refund.updated",
    when: (e) => isKnown(paymentContact(e.data.object)) && became(e.data, ({ status }) => status === "succeeded"),
    contact: (e) => paymentContact(e.data.object),
    event: { name: "refundArrived", properties: refundAmount },
  },
  {
    name: "credit note created",
    on: "credit_note.created",
    contact: (e) => customer(e.data.object.customer),
    event: { name: "creditNoteCreated", properties: { ...credit, reason: (e) => e.data.object.reason } },
  },
  {
    name: "credit note voided",
    on: "credit_note.voided",
    contact: (e) => customer(e.data.object.customer),
    event: { name: "creditNoteVoided", properties: credit },
  },
  {
    // A dispute may follow. The contact is the card holder; workflows should inform the team.
    name: "early fraud warning",
    on: "radar.early_fraud_warning.created",
    contact: (e) => paymentContact(e.data.object),
    event: {
      name: "earlyFraudWarning",
      properties: { kind: (e) => e.data.object.fraud_type, actionable: (e) => e.data.object.actionable },
    },
  },
  {
    name: "dispute created",
    on: "charge.dispute.created",
    when: (e) => isKnown(disputeContact(e)),
    contact: disputeContact,
    event: {
      name: "disputeCreated",
      properties: {
        ...disputedAmount,
        reason: (e) => e.data.object.reason,
        // "warning_needs_response": an inquiry, no money was taken back yet.
        status: (e) => e.data.object.status,
      },
    },
  },
  {
    name: "dispute closed",
    on: "charge.dispute.closed",
    when: (e) => isKnown(disputeContact(e)),
    contact: disputeContact,
    event: {
      name: "disputeClosed",
      properties: {
        ...disputedAmount,
        status: (e) => e.data.object.status,
      },
    },
  },
  {
    // Only for cards stored as sources. Other cards are renewed with the bank
    // (`payment_method.automatically_updated`).
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
