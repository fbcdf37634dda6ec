import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { idOf } from "../../rules/people/customer.ts";
import { ownFirstName } from "../../rules/people/metadata-name.ts";
import { rules } from "../../rules/types.ts";
import { became } from "../../rules/values/changed.ts";
import { day } from "../../rules/values/day.ts";
import { isEnding } from "./subscription-updates.ts";
import { endsAt, named, person } from "./subscriptions.ts";

type Subscription = Stripe.Subscription;

const endsAtOnce = ({ canceled_at: asked, ended_at: ended }: Subscription) => !asked || !ended || ended - asked < 3600;

const endOf = (e: { created: number; data: { object: Subscription } }) => day(e.data.object.ended_at ?? e.created);

/** A subscription does not name the person, and transactional mail cannot show contact properties. */
const name = (e: { data: { object: Subscription } }) => ownFirstName(e.data.object.metadata);

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
      variables: { name, plan: named.planName, date: (e) => day(e.data.object.trial_end ?? e.created) },
    },
  },
  {
    // The mail speaks of the person: "you are not charged again".
    name: "cancellation mail",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, isEnding),
    onlyWithoutOther: (e) => e.data.object.id,
    contact: person,
    transactional: {
      template: "cancellation",
      variables: {
        name,
        plan: named.planName,
        next: (e) => {
          const end = endsAt(e);
          return end ? `You can use everything until ${day(end)}.` : undefined;
        },
      },
    },
  },
  {
    // Not after a chargeback, and not to a deleted customer.
    name: "cancellation at once mail",
    on: "customer.subscription.deleted",
    when: ({ data: { object } }) =>
      endsAtOnce(object) && reason(object) !== "payment_disputed" && reason(object) !== "payment_failed",
    onlyWithoutOther: (e) => e.data.object.id,
    ifStored: { id: (e) => idOf(e.data.object.customer), isNot: { deleted: true } },
    contact: person,
    transactional: {
      template: "cancellation",
      variables: { name, plan: named.planName, next: (e) => `It ended on ${endOf(e)}.` },
    },
  },
  {
    name: "ended unpaid mail",
    on: "customer.subscription.deleted",
    when: ({ data: { object } }) => endsAtOnce(object) && reason(object) === "payment_failed",
    onlyWithoutOther: (e) => e.data.object.id,
    ifStored: { id: (e) => idOf(e.data.object.customer), isNot: { deleted: true } },
    contact: person,
    transactional: {
      template: "ended-unpaid",
      variables: {
        name,
        plan: named.planName,
        next: (e) => `It ended on ${endOf(e)}. We do not try to collect it again.`,
      },
    },
  },
]);
