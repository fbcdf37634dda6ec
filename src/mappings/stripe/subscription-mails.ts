import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { rules } from "../../rules/types.ts";
import { became } from "../../rules/values/changed.ts";
import { day } from "../../rules/values/day.ts";
import { isEnding } from "./subscription-updates.ts";
import { endsAt, named, person } from "./subscriptions.ts";

type Subscription = Stripe.Subscription;

const endsAtOnce = ({ canceled_at: asked, ended_at: ended }: Subscription) => !asked || !ended || ended - asked < 3600;

const reason = ({ cancellation_details: details }: Subscription) => details?.reason;

/**
 * Stripe can send the same mails: turn them off (Settings → Billing → Subscriptions and emails), or remove this file.
 */
export default rules(stripe, [
  {
    name: "trial ending mail",
    on: "customer.subscription.trial_will_end",
    when: ({ created, data: { object } }) =>
      object.status === "trialing" && (object.trial_end ?? 0) > created && !isEnding(object),
    contact: person,
    transactional: {
      template: "trial-ending",
      variables: { plan: named.planName, date: (e) => day(e.data.object.trial_end ?? e.created) },
    },
  },
  {
    name: "cancellation mail",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, isEnding),
    contact: person,
    transactional: {
      template: "cancellation",
      variables: {
        plan: named.planName,
        next: (e) => {
          const end = endsAt(e);
          return end ? `You can use everything until ${day(end)}.` : undefined;
        },
      },
    },
  },
  {
    // Not after a chargeback.
    name: "cancellation at once mail",
    on: "customer.subscription.deleted",
    when: ({ data: { object } }) => endsAtOnce(object) && reason(object) !== "payment_disputed",
    contact: person,
    transactional: {
      template: "cancellation",
      variables: {
        plan: named.planName,
        next: (e) =>
          reason(e.data.object) === "payment_failed"
            ? `It ended on ${day(e.data.object.ended_at ?? e.created)}, because we could not collect the payment.`
            : `It ended on ${day(e.data.object.ended_at ?? e.created)}.`,
      },
    },
  },
]);
