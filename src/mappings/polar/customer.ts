import type { PolarCustomer, PolarOrder, PolarSubscription } from "../../handlers/polar.ts";
import { customer } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import type { Contact } from "../../rules/types.ts";

/**
 * Polar gives anonymized customers a made-up address.
 * @see https://github.com/polarsource/polar/blob/main/server/polar/kit/anonymization.py
 */
export const address = ({ email }: PolarCustomer): string | undefined =>
  email && !email.endsWith("@anonymized.polar.sh") ? email : undefined;

/** Neither the name of a team nor the made-up name of an anonymized customer. */
const nameOf = (who: PolarCustomer) => (address(who) && who.type !== "team" ? who.name : undefined);

/** Guessed names of the customer that a webhook is about. */
export const profile = {
  polarCustomerId: (e: { data: PolarCustomer }) => e.data.id,
  ...guessedName((e: { data: PolarCustomer }) => nameOf(e.data), "purchase"),
};

/** The same of an order or a subscription. */
export const buyerProfile = {
  polarCustomerId: (e: { data: PolarOrder | PolarSubscription }) => e.data.customer_id,
  ...guessedName((e: { data: PolarOrder | PolarSubscription }) => nameOf(e.data.customer), "purchase"),
};

export const contactOf = (who: PolarCustomer, id: string): Contact => {
  const email = address(who);
  return email ? { email } : customer(id);
};

export const person = ({ data: { customer: who, customer_id } }: { data: PolarOrder | PolarSubscription }): Contact =>
  contactOf(who, customer_id);
