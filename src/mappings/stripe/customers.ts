import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { customer } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import { personName } from "../../rules/people/stripe-name.ts";
import { rules } from "../../rules/types.ts";

type Event = { data: { object: Stripe.Customer } };

const profile = {
  stripeCustomerId: (e: Event) => e.data.object.id,
  ...guessedName((e: Event) => personName(e.data.object), "purchase"),
};

export default rules(stripe, [
  {
    name: "customer created",
    on: "customer.created",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    update: profile,
  },
  {
    name: "customer updated",
    on: "customer.updated",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    update: profile,
  },
  {
    // Keeps the contact and its unsubscription.
    name: "customer deleted",
    on: "customer.deleted",
    // No goodbye follows.
    remember: { id: (e) => e.data.object.id, state: { deleted: true } },
    contact: (e) => (e.data.object.email ? { email: e.data.object.email } : customer(e.data.object.id)),
    event: { name: "customerDeleted", onlyKnown: true },
  },
]);
