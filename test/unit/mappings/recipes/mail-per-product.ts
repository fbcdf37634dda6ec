import { stripe } from "../../../../src/handlers/stripe.ts";
import { planOf } from "../../../../src/mappings/stripe/subscriptions.ts";
import { customer } from "../../../../src/rules/people/customer.ts";
import { rules } from "../../../../src/rules/types.ts";

const TEAM = "prod_TNyq4Zr8cWm1Hu";

export default rules(stripe, [
  {
    name: "first steps",
    on: "customer.subscription.created",
    contact: (e) => customer(e.data.object.customer),
    transactional: {
      templates: ["first-steps-team", "first-steps"],
      template: (e) => (planOf(e.data).product === TEAM ? "first-steps-team" : "first-steps"),
    },
  },
  {
    name: "team bought",
    on: "customer.subscription.created",
    when: (e) => planOf(e.data).product === TEAM,
    contact: (e) => customer(e.data.object.customer),
    event: { name: "teamBought" },
  },
]);
