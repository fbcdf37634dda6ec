import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { shortLink } from "../../rules/values/clip.ts";
import { day } from "../../rules/values/day.ts";
import { locale } from "../../rules/values/locale.ts";
import { seconds } from "../../rules/values/seconds.ts";

type Session = Stripe.Checkout.Session;
type Event = { data: { object: Session } };

export const sessionEmail = (session: Session) =>
  session.customer_details?.email ?? session.customer_email ?? undefined;

/** By address where the session has one, else by the customer. */
const person = ({ data: { object: session } }: Event): Contact => {
  const email = sessionEmail(session);
  return email ? { email } : customer(session.customer);
};

const total = ({ data: { object } }: Event) =>
  money(object.amount_total ?? 0, object.currency ?? "usd", locale(object.locale));
const totalValue = ({ data: { object } }: Event) => majorUnits(object.amount_total ?? 0, object.currency ?? "usd");

const purchase = {
  amount: total,
  amountValue: totalValue,
  currency: (e: Event) => e.data.object.currency,
  mode: (e: Event) => e.data.object.mode,
};

/** Checkout sessions: bought, failed, abandoned, and the receipt of a purchase. */
export default rules(stripe, [
  {
    name: "checkout completed",
    on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
    // Mode "setup" saves a card and sells nothing; a bank debit is unpaid until the second of these says otherwise.
    when: (e) => e.data.object.mode !== "setup" && e.data.object.payment_status !== "unpaid",
    contact: person,
    update: {
      stripeCustomerId: (e) => idOf(e.data.object.customer),
      lastPurchaseAt: (e) => seconds(e.created),
      lastPurchaseAmount: totalValue,
    },
    event: { name: "checkoutCompleted", properties: purchase },
  },
  // One purchase, one receipt. Checkout announces the same payment as a session and, for a subscription, as an invoice with
  // billing_reason "subscription_create": the session gets the receipt, and of invoices only a renewal does. A bank debit
  // completes its session unpaid and is announced again when the money came. If you sell without Checkout, or bill for
  // changes at once, add "subscription_create", "manual" or "subscription_update" to "renewal receipt" in invoices.ts;
  // Checkout and "subscription_create" together would send two.
  {
    name: "checkout receipt",
    on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
    when: (e) => e.data.object.payment_status !== "unpaid" && (e.data.object.amount_total ?? 0) > 0,
    contact: person,
    transactional: {
      template: "receipt",
      variables: {
        name: (e) => e.data.object.customer_details?.name ?? "there",
        amount: total,
        // A webhook has no line items: put a description into the session's metadata when you create it.
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
    contact: person,
    event: { name: "checkoutPaymentFailed", properties: purchase },
  },
  {
    // Most expired sessions know nobody. A mail about one is marketing in many countries: start it from this event only
    // for people who agreed to it (`promotionsConsent`, where you collect it), and never for one the team expired itself.
    name: "checkout abandoned",
    on: "checkout.session.expired",
    when: (e) => e.data.object.mode !== "setup" && Boolean(sessionEmail(e.data.object) ?? idOf(e.data.object.customer)),
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
