import { stripe } from "../../../../src/handlers/stripe.ts";
import { planOf } from "../../../../src/mappings/stripe/subscriptions.ts";
import { customer } from "../../../../src/rules/people/customer.ts";
import { rules } from "../../../../src/rules/types.ts";

const TEAM = "prod_TNyq4Zr8cWm1Hu";

export default rules(stripe, [
  {
    name: "plan lists",
    on: ["customer.subscription.created", "customer.subscription.updated"],
    contact: (e) => customer(e.data.object.customer),
    lists: {
      teams: (e) => planOf(e.data).product === TEAM,
      trials: (e) => (e.data.object.status === "trialing" ? true : undefined),
    },
  },
]);
