import type { RazorpayEvent, RazorpayInvoice, RazorpayPayment, RazorpaySubscription } from "../../handlers/razorpay.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact, Link } from "../../rules/types.ts";

type Entity = { entity: Partial<RazorpayPayment & RazorpaySubscription & RazorpayInvoice> };

/** Razorpay's own address in payments of customers without one. */
const NOBODY = /@razorpay\.com$/i;

export const address = (email: string | null | undefined): string | undefined =>
  email && !NOBODY.test(email) ? email : undefined;

/** Empty for a payment without an address and a customer. */
export const payer = ({ email, customer_id }: RazorpayPayment): Contact => {
  const known = address(email);
  return known ? { email: known } : customer(customer_id);
};

/** Subscriptions by link have no customer. */
export const subscriber = ({ id, customer_id }: RazorpaySubscription): string => customer_id || id;

/** Links the ids of a webhook's customer and subscription with its address. */
export const linksOf = ({ payload }: RazorpayEvent): readonly Link[] => {
  const { payment, subscription, invoice } = payload as Partial<Record<string, Entity | null>>;
  const details = invoice?.entity.customer_details;
  const email = [payment?.entity.email, details?.email, subscription?.entity.customer_email].map(address).find(Boolean);
  const refs = [
    subscription && subscriber(subscription.entity as RazorpaySubscription),
    invoice?.entity.customer_id ?? details?.id,
    payment?.entity.customer_id,
  ];
  return email ? [...new Set(refs)].flatMap((ref) => (ref ? [{ ref, email }] : [])) : [];
};

export const amountOf = ({ amount, currency }: { amount: number; currency: string }) => ({
  text: money(amount, currency),
  value: majorUnits(amount, currency),
});
