import { stripe } from "../../../../src/handlers/stripe.ts";
import { rules } from "../../../../src/rules/types.ts";

export default rules(stripe, [], (e) =>
  e.type === "customer.created" || e.type === "customer.updated"
    ? [{ ref: e.data.object.id, email: e.data.object.email, userId: e.data.object.metadata?.user_id }]
    : [],
);
