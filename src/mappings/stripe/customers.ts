import { stripe } from "../../handlers/stripe.ts";
import { customer } from "../../rules/people/customer.ts";
import { firstName, lastName } from "../../rules/people/name.ts";
import { rules } from "../../rules/types.ts";

/** Customers as objects: made, changed, deleted. */
export default rules(stripe, [
  {
    name: "customer created",
    on: "customer.created",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    update: {
      stripeCustomerId: (e) => e.data.object.id,
      firstName: (e) => firstName(e.data.object.name),
      lastName: (e) => lastName(e.data.object.name),
    },
  },
  {
    name: "customer updated",
    on: "customer.updated",
    when: (e) => Boolean(e.data.object.email),
    contact: { email: (e) => e.data.object.email },
    // No name here: by now the person may have written a better one elsewhere.
    update: { stripeCustomerId: (e) => e.data.object.id },
  },
  {
    // The contact stays: deleting it would forget that the person unsubscribed. To end its mail add
    // `remove: "unsubscribe"`, to forget the person `remove: "delete"`.
    name: "customer deleted",
    on: "customer.deleted",
    contact: (e) => (e.data.object.email ? { email: e.data.object.email } : customer(e.data.object.id)),
    event: { name: "customerDeleted" },
  },
]);
