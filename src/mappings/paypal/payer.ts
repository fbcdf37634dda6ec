import type { PayPalAmount, PayPalEvent, PayPalPerson, PayPalSubscription } from "../../handlers/paypal.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact, Link } from "../../rules/types.ts";

/** A payment has the id of its order or subscription, and no address. */
export const subscriber = ({ id, subscriber: person }: PayPalSubscription): Contact =>
  person?.email_address ? { email: person.email_address } : customer(id);

export const moneyIn = ({ value, currency_code }: PayPalAmount) => moneyOf(value, currency_code);
export const numberIn = ({ value }: PayPalAmount) => decimal(value);

/** The longest time in which a payment can be refunded or disputed. */
const DISPUTABLE = "400d";
const PAYMENT = { strength: "purchase", lifetime: DISPUTABLE } as const;

const idsTo = (ids: readonly (string | undefined)[], { email_address: email }: PayPalPerson = {}) =>
  email ? ids.flatMap((ref) => (ref ? [{ ref, email }] : [])) : [];

const paymentOf = (ref: string, to: string | undefined): readonly Link[] => (to ? [{ ref, to, ...PAYMENT }] : []);

/** Links a subscription with its address, an order and its captures too, and a payment with its subscription or order. */
export const linksOf = (e: PayPalEvent): readonly Link[] => {
  switch (e.type) {
    case "BILLING.SUBSCRIPTION.CREATED":
    case "BILLING.SUBSCRIPTION.ACTIVATED":
    case "BILLING.SUBSCRIPTION.UPDATED":
    case "BILLING.SUBSCRIPTION.SUSPENDED":
    case "BILLING.SUBSCRIPTION.CANCELLED":
    case "BILLING.SUBSCRIPTION.EXPIRED":
    case "BILLING.SUBSCRIPTION.PAYMENT.FAILED":
      return idsTo([e.resource.id], e.resource.subscriber);
    case "CHECKOUT.ORDER.APPROVED":
    case "CHECKOUT.ORDER.COMPLETED": {
      const captures = (e.resource.purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? []);
      const links = idsTo([e.resource.id, ...captures.map(({ id }) => id)], e.resource.payer);
      return links.map((link) => ({ ...link, ...PAYMENT }));
    }
    case "PAYMENT.SALE.COMPLETED":
      return paymentOf(e.resource.id, e.resource.billing_agreement_id);
    case "PAYMENT.CAPTURE.COMPLETED":
      return paymentOf(e.resource.id, e.resource.supplementary_data?.related_ids?.order_id);
    default:
      return [];
  }
};
