import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { seconds } from "../../rules/values/seconds.ts";

type Event = { data: { object: Stripe.Quote } };

const person = (e: Event) => customer(e.data.object.customer);

const offer = {
  amount: ({ data: { object } }: Event) => object.currency && money(object.amount_total, object.currency),
  amountValue: ({ data: { object } }: Event) => object.currency && majorUnits(object.amount_total, object.currency),
  currency: (e: Event) => e.data.object.currency,
  number: (e: Event) => e.data.object.number,
};

export default rules(stripe, [
  {
    name: "quote finalized",
    on: "quote.finalized",
    when: (e) => Boolean(idOf(e.data.object.customer)),
    contact: person,
    event: {
      name: "quoteFinalized",
      properties: { ...offer, expiresAt: (e) => seconds(e.data.object.expires_at) },
    },
  },
  {
    name: "quote accepted",
    on: "quote.accepted",
    when: (e) => Boolean(idOf(e.data.object.customer)),
    contact: person,
    event: { name: "quoteAccepted", properties: offer },
  },
  {
    name: "quote canceled",
    on: "quote.canceled",
    when: (e) => Boolean(idOf(e.data.object.customer)),
    contact: person,
    event: { name: "quoteCanceled", properties: { number: (e) => e.data.object.number } },
  },
]);
