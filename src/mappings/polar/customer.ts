import type { PolarCustomer, PolarOrder, PolarSubscription } from "../../handlers/polar.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact } from "../../rules/types.ts";

/**
 * Polar gives anonymized customers a made-up address.
 * @see https://github.com/polarsource/polar/blob/main/server/polar/kit/anonymization.py
 */
export const address = ({ email }: PolarCustomer): string | undefined =>
  email && !email.endsWith("@anonymized.polar.sh") ? email : undefined;

export const contactOf = (who: PolarCustomer, id: string): Contact => {
  const email = address(who);
  return email ? { email } : customer(id);
};

export const person = ({ data: { customer: who, customer_id } }: { data: PolarOrder | PolarSubscription }): Contact =>
  contactOf(who, customer_id);
