import { stripe } from "../../handlers/stripe.ts";
import { customer } from "../../rules/people/customer.ts";
import { firstName, lastName } from "../../rules/people/name.ts";
import { rules } from "../../rules/types.ts";

export default rules(stripe, [
  {
    name: "customer created",
    on: "customer.created",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    update: {
      stripeCustomerId: (e) => e.data.object.id,
      firstName: { guess: (e) => firstName(e.data.object.name), from: "purchase" },
      lastName: { guess: (e) => lastName(e.data.object.name), from: "purchase" },
    },
  },
  {
    name: "customer updated",
    on: "customer.updated",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    // The name is not written: a newer one may exist.
    update: { stripeCustomerId: (e) => e.data.object.id },
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
