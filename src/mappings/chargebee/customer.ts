import type { ChargebeeContent } from "../../handlers/chargebee.ts";
import { customer } from "../../rules/people/customer.ts";
import { guessedParts } from "../../rules/people/name.ts";
import type { Contact } from "../../rules/types.ts";

type Event = { content: ChargebeeContent };

export const customerId = ({ content }: Event) =>
  content.customer?.id ??
  content.subscription?.customer_id ??
  content.transaction?.customer_id ??
  content.invoice?.customer_id ??
  content.payment_source?.customer_id ??
  content.card?.customer_id;

/** Guessed names: the customer's own ones come before those of the billing address. */
export const profile = {
  chargebeeCustomerId: customerId,
  ...guessedParts(({ content: { customer: who } }: Event) => [who, who?.billing_address], "purchase"),
};

export const person = (e: Event): Contact =>
  e.content.customer?.email ? { email: e.content.customer.email } : customer(customerId(e));
