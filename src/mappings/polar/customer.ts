import type { PolarCustomer, PolarOrder, PolarSubscription } from "../../handlers/polar.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact } from "../../rules/types.ts";

/**
 * The customer's email address. Polar replaces the address of an anonymized customer with a made-up one, in all later
 * webhooks about the customer.
 * @see https://github.com/polarsource/polar/blob/main/server/polar/kit/anonymization.py
 */
export const address = ({ email }: PolarCustomer): string | undefined =>
  email && !email.endsWith("@anonymized.polar.sh") ? email : undefined;

/** The contact: the address of a customer, or the id where the address is unknown. */
export const contactOf = (who: PolarCustomer, id: string): Contact => {
  const email = address(who);
  return email ? { email } : customer(id);
};

/** The contact of an order or a subscription. */
export const person = ({ data: { customer: who, customer_id } }: { data: PolarOrder | PolarSubscription }): Contact =>
  contactOf(who, customer_id);
