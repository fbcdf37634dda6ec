import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf, isKnown } from "../../rules/people/customer.ts";
import { guessedName } from "../../rules/people/name.ts";
import { personName } from "../../rules/people/stripe-name.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";
import { day } from "../../rules/values/day.ts";
import { locale } from "../../rules/values/locale.ts";
import { seconds } from "../../rules/values/seconds.ts";

type Session = Stripe.Checkout.Session;
type Event = { data: { object: Session } };

export const sessionEmail = (session: Session) =>
  session.customer_details?.email ?? session.customer_email ?? undefined;

const person = ({ data: { object: session } }: Event): Contact => {
  const email = sessionEmail(session);
  return email ? { email } : customer(session.customer);
};

const buyerName = ({ data: { object: session } }: Event) => personName(session.customer_details ?? {});

const price = ({ amount_total: amount, currency }: Session) =>
  typeof amount === "number" && currency ? { amount, currency } : undefined;
const total = ({ data: { object } }: Event) => {
  const known = price(object);
  return known && money(known.amount, known.currency, locale(object.locale));
};
const totalValue = ({ data: { object } }: Event) => {
  const known = price(object);
  return known && majorUnits(known.amount, known.currency);
};

/** With Adaptive Pricing the customer sees another currency than the session's. */
const shownTotal = (e: Event) => {
  const { presentment_details: shown, locale: given } = e.data.object;
  return shown ? money(shown.presentment_amount, shown.presentment_currency, locale(given)) : total(e);
};

/** A trial or full discount is no purchase. */
const isPurchase = (session: Session) => (price(session)?.amount ?? 0) > 0;

const purchase = {
  amount: total,
  amountValue: totalValue,
  currency: (e: Event) => e.data.object.currency,
  mode: (e: Event) => e.data.object.mode,
};

export default rules(stripe, [
  {
    name: "checkout completed",
    on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
    // Mode "setup" only saves a card. A bank debit is unpaid until the second of these webhooks.
    when: (e) => e.data.object.mode !== "setup" && e.data.object.payment_status !== "unpaid" && isKnown(person(e)),
    contact: person,
    update: {
      stripeCustomerId: (e) => idOf(e.data.object.customer),
      ...guessedName(buyerName, "purchase"),
      lastPurchaseAt: (e) => (isPurchase(e.data.object) ? seconds(e.created) : undefined),
      lastPurchaseAmount: (e) => (isPurchase(e.data.object) ? totalValue(e) : undefined),
    },
    event: { name: "checkoutCompleted", properties: purchase },
  },
  // One receipt per purchase: the session makes it, and invoices only for renewals. Without Checkout, add
  // "subscription_create", "manual" or "subscription_update" in invoices.ts. With Checkout, "subscription_create"
  // would send two.
  {
    name: "checkout receipt",
    on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
    when: (e) => e.data.object.payment_status !== "unpaid" && isPurchase(e.data.object) && isKnown(person(e)),
    contact: person,
    transactional: {
      template: "receipt",
      variables: {
        name: (e) => e.data.object.customer_details?.name ?? "there",
        amount: shownTotal,
        // The webhook has no line items: put a description into the session's metadata.
        description: (e) =>
          e.data.object.metadata?.description ?? (e.data.object.mode === "subscription" ? "Subscription" : "Purchase"),
        date: (e) => day(e.created, locale(e.data.object.locale)),
        reference: (e) => idOf(e.data.object.invoice) ?? idOf(e.data.object.payment_intent) ?? e.data.object.id,
      },
    },
  },
  {
    name: "checkout payment failed",
    on: "checkout.session.async_payment_failed",
    when: (e) => isKnown(person(e)),
    contact: person,
    event: { name: "checkoutPaymentFailed", properties: purchase },
  },
  {
    // Most expired sessions contain no person. In many countries such mail requires consent (`promotionsConsent`). Do
    // not send it for sessions that the team expired.
    name: "checkout abandoned",
    on: "checkout.session.expired",
    when: (e) => e.data.object.mode !== "setup" && isKnown(person(e)),
    contact: person,
    event: {
      name: "checkoutAbandoned",
      properties: {
        ...purchase,
        recoveryUrl: (e) => shortLink(e.data.object.after_expiration?.recovery?.url),
        promotionsConsent: (e) => e.data.object.consent?.promotions,
      },
    },
  },
]);
