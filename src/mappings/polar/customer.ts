import type { PolarOrder, PolarSubscription } from "../../handlers/polar.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact } from "../../rules/types.ts";

/** The contact: the customer's email address, or the customer id where there is none. */
export const person = ({ data: { customer: who, customer_id } }: { data: PolarOrder | PolarSubscription }): Contact =>
  who.email ? { email: who.email } : customer(customer_id);
