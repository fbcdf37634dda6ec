import type { ChargebeeContent } from "../../handlers/chargebee.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact } from "../../rules/types.ts";

type Event = { content: ChargebeeContent };

export const customerId = ({ content }: Event) =>
  content.customer?.id ??
  content.subscription?.customer_id ??
  content.transaction?.customer_id ??
  content.invoice?.customer_id ??
  content.payment_source?.customer_id ??
  content.card?.customer_id;

export const person = (e: Event): Contact =>
  e.content.customer?.email ? { email: e.content.customer.email } : customer(customerId(e));
