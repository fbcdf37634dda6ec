import type { PayPalAmount, PayPalEvent, PayPalPerson, PayPalSubscription } from "../../handlers/paypal.ts";
import { decimal, moneyOf } from "../../rules/billing/decimal.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact, Link } from "../../rules/types.ts";

/** A payment has the id of its order or subscription, and no address. */
export const subscriber = ({ id, subscriber: person }: PayPalSubscription): Contact =>
  person?.email_address ? { email: person.email_address } : customer(id);

export const moneyIn = ({ value, currency_code }: PayPalAmount) => moneyOf(value, currency_code);
export const numberIn = ({ value }: PayPalAmount) => decimal(value);

const refs = (ids: readonly (string | undefined)[], { email_address: email }: PayPalPerson = {}): readonly Link[] =>
  email ? ids.flatMap((ref) => (ref ? [{ ref, email }] : [])) : [];

/** Links subscription, order, its captures and the payer's id with the address. */
export const linksOf = (e: PayPalEvent): readonly Link[] => {
  switch (e.type) {
    case "BILLING.SUBSCRIPTION.CREATED":
    case "BILLING.SUBSCRIPTION.ACTIVATED":
    case "BILLING.SUBSCRIPTION.UPDATED":
    case "BILLING.SUBSCRIPTION.SUSPENDED":
    case "BILLING.SUBSCRIPTION.CANCELLED":
    case "BILLING.SUBSCRIPTION.EXPIRED":
    case "BILLING.SUBSCRIPTION.PAYMENT.FAILED":
      return refs([e.resource.id], e.resource.subscriber);
    case "CHECKOUT.ORDER.APPROVED":
    case "CHECKOUT.ORDER.COMPLETED": {
      const captures = (e.resource.purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? []);
      return refs([e.resource.id, ...captures.map(({ id }) => id)], e.resource.payer);
    }
    default:
      return [];
  }
};
