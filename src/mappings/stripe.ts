import type Stripe from "stripe";
import { stripe } from "../handlers/stripe.ts";
import { became, type Change } from "../rules/changed.ts";
import { clip, shortLink } from "../rules/clip.ts";
import { customer, idOf } from "../rules/customer.ts";
import { day } from "../rules/day.ts";
import { locale } from "../rules/locale.ts";
import { majorUnits, money } from "../rules/money.ts";
import { changedInterval, direction, intervalOf, perMonth } from "../rules/monthly.ts";
import { firstName, lastName } from "../rules/name.ts";
import { seconds } from "../rules/seconds.ts";
import { formerPlan, formerRecurring, planOf, recurringOf } from "../rules/stripe-items.ts";
import { type Contact, type Link, rules } from "../rules/types.ts";

type Session = Stripe.Checkout.Session;
type Subscription = Stripe.Subscription;

const sessionEmail = (session: Session) => session.customer_details?.email ?? session.customer_email ?? undefined;

/** By address where the session has one, else by the customer. */
const sessionContact = (session: Session): Contact => {
  const email = sessionEmail(session);
  return email ? { email } : customer(session.customer);
};

/** By address where the invoice has one, else by the customer. */
const invoiceContact = (invoice: Stripe.Invoice): Contact =>
  invoice.customer_email ? { email: invoice.customer_email } : customer(invoice.customer);

/** By customer, whose address is the one the team knows; a guest's charge has the address alone. */
const chargeContact = (charge: Stripe.Charge): Contact =>
  charge.customer ? customer(charge.customer) : { email: charge.billing_details.email ?? charge.receipt_email ?? "" };

const total = (session: Session) => money(session.amount_total ?? 0, session.currency ?? "usd", locale(session.locale));
const totalValue = (session: Session) => majorUnits(session.amount_total ?? 0, session.currency ?? "usd");

/** On the items since API version 2025-03-31, on the subscription before. */
const periodEnd = (subscription: Subscription & { current_period_end?: number }) => seconds(periodEndOf(subscription));

const periodEndOf = (subscription: Subscription & { current_period_end?: number }) =>
  subscription.items.data[0]?.current_period_end ?? subscription.current_period_end;

/**
 * A cancellation may be by date alone (`cancel_at`, which flexible billing and newer customer portals set; from which API
 * version on is unconfirmed): the flag stays false then, and the date is the period's end.
 */
const cancelsAtPeriodEnd = (subscription: Subscription) =>
  subscription.cancel_at && subscription.cancel_at === periodEndOf(subscription)
    ? true
    : subscription.cancel_at_period_end;

const isLate = ({ status }: Subscription) => status === "past_due" || status === "unpaid";
const isRunning = ({ status }: Subscription) => status === "active" || status === "trialing";
const isEnded = ({ status }: Subscription) => status === "canceled" || status === "incomplete_expired";
const isEnding = (subscription: Subscription) =>
  !isEnded(subscription) && (subscription.cancel_at_period_end || Boolean(subscription.cancel_at));

/** Whether an update left the plan and made it, say, yearly. */
const isOtherInterval = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former !== undefined && changedInterval(former, recurringOf(change.object));
};

/** Whether an update made the bill per month dearer (1) or cheaper (-1); 0 or undefined: neither. */
const turn = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former && !isOtherInterval(change) ? direction(former, recurringOf(change.object)) : undefined;
};

/** Minor units a month; what is charged by use beside it is left out. Undefined where the rest has no fixed price. */
const monthly = (items: ReturnType<typeof recurringOf>) => {
  const amount = perMonth(items.filter(({ metered }) => !metered));
  return amount === undefined ? undefined : Math.round(amount);
};

/** Of the first price: endpoints of old API versions send subscriptions without a currency. */
const currency = (subscription: Subscription) => recurringOf(subscription)[0]?.currency || subscription.currency;

const changeOfPlan = {
  plan: (e: Updated) => planOf(e.data.object),
  previousPlan: (e: Updated) => formerPlan(e.data),
  monthlyAmount: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : money(amount, currency(e.data.object));
  },
  monthlyAmountValue: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : majorUnits(amount, currency(e.data.object));
  },
  previousMonthlyAmountValue: (e: Updated) => {
    const amount = monthly(formerRecurring(e.data) ?? []);
    return amount === undefined ? undefined : majorUnits(amount, currency(e.data.object));
  },
  currency: (e: Updated) => currency(e.data.object),
  interval: (e: Updated) => intervalOf(recurringOf(e.data.object)),
};

type Updated = Stripe.CustomerSubscriptionUpdatedEvent;

const invoiceAmount = (invoice: Stripe.Invoice) => money(invoice.amount_due, invoice.currency);
const invoiceAmountValue = (invoice: Stripe.Invoice) => majorUnits(invoice.amount_due, invoice.currency);

const quoteAmount = (quote: Stripe.Quote) => money(quote.amount_total, quote.currency ?? "usd");
const quoteAmountValue = (quote: Stripe.Quote) => majorUnits(quote.amount_total, quote.currency ?? "usd");

/** The customer is at the checkout and sees what comes of the first invoice. */
const isFirst = (invoice: Stripe.Invoice) => invoice.billing_reason === "subscription_create";

/** A line as it was before API version 2025-03-31, and since then. */
type Line = Stripe.InvoiceLineItem & { proration?: boolean };

/** A change in the last period stands on the next invoice, often before what that is for. */
const isProration = ({ proration, parent }: Line) =>
  proration === true ||
  parent?.subscription_item_details?.proration === true ||
  parent?.invoice_item_details?.proration === true;

/** What an invoice is for. */
const description = ({ lines }: Stripe.Invoice) =>
  (lines.data.find((line) => !isProration(line)) ?? lines.data[0])?.description ?? "Subscription";

/** What this refund gave back: the charge itself has the sum of all. Undefined where the former sum is not told. */
const refund = ({ data: { object, previous_attributes } }: Stripe.ChargeRefundedEvent) => {
  const former = previous_attributes?.amount_refunded;
  return former === undefined ? undefined : object.amount_refunded - former;
};

/** As it stands on the card: 04/2027. */
const expiry = ({ exp_month, exp_year }: Stripe.Card) => `${String(exp_month).padStart(2, "0")}/${exp_year}`;

const disputeContact = {
  email: (e: { data: { object: Stripe.Dispute } }) => e.data.object.evidence.customer_email_address,
};

export default rules(
  stripe,
  [
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
      name: "checkout completed",
      on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      // Mode "setup" saves a card and sells nothing; a bank debit is unpaid until the second of these says otherwise.
      when: (e) => e.data.object.mode !== "setup" && e.data.object.payment_status !== "unpaid",
      contact: (e) => sessionContact(e.data.object),
      update: {
        stripeCustomerId: (e) => idOf(e.data.object.customer),
        lastPurchaseAt: (e) => seconds(e.created),
        lastPurchaseAmount: (e) => totalValue(e.data.object),
      },
      event: {
        name: "checkoutCompleted",
        properties: {
          amount: (e) => total(e.data.object),
          amountValue: (e) => totalValue(e.data.object),
          currency: (e) => e.data.object.currency,
          mode: (e) => e.data.object.mode,
        },
      },
    },
    // One purchase, one receipt. Checkout announces the same payment as a session and, for a subscription, as an invoice with
    // billing_reason "subscription_create": the session gets the receipt, and of invoices only a renewal does. A bank debit
    // completes its session unpaid and is announced again when the money came. If you sell without Checkout, or bill for
    // changes at once, add "subscription_create", "manual" or "subscription_update" below; Checkout and
    // "subscription_create" together would send two.
    {
      name: "checkout receipt",
      on: ["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      when: (e) => e.data.object.payment_status !== "unpaid" && (e.data.object.amount_total ?? 0) > 0,
      contact: (e) => sessionContact(e.data.object),
      transactional: {
        template: "receipt",
        variables: {
          name: (e) => e.data.object.customer_details?.name ?? "there",
          amount: (e) => total(e.data.object),
          // A webhook has no line items: put a description into the session's metadata when you create it.
          description: (e) =>
            e.data.object.metadata?.description ??
            (e.data.object.mode === "subscription" ? "Subscription" : "Purchase"),
          date: (e) => day(e.created, locale(e.data.object.locale)),
          reference: (e) => idOf(e.data.object.invoice) ?? idOf(e.data.object.payment_intent) ?? e.data.object.id,
        },
      },
    },
    {
      name: "renewal receipt",
      on: "invoice.paid",
      when: (e) => e.data.object.billing_reason === "subscription_cycle" && e.data.object.amount_paid > 0,
      contact: (e) => invoiceContact(e.data.object),
      transactional: {
        template: "receipt",
        variables: {
          name: (e) => e.data.object.customer_name ?? "there",
          amount: (e) => money(e.data.object.amount_paid, e.data.object.currency),
          description: (e) => description(e.data.object),
          date: (e) => day(e.data.object.status_transitions.paid_at ?? e.created),
          reference: (e) => e.data.object.number ?? e.data.object.id,
        },
      },
    },
    {
      name: "payment failed",
      on: "invoice.payment_failed",
      when: (e) => !isFirst(e.data.object),
      contact: (e) => invoiceContact(e.data.object),
      event: {
        name: "paymentFailed",
        properties: {
          amount: (e) => money(e.data.object.amount_remaining, e.data.object.currency),
          amountValue: (e) => majorUnits(e.data.object.amount_remaining, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          attempt: (e) => e.data.object.attempt_count,
          nextAttemptAt: (e) => seconds(e.data.object.next_payment_attempt),
          invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
        },
      },
    },
    {
      name: "subscription state",
      on: [
        "customer.subscription.created",
        "customer.subscription.updated",
        "customer.subscription.paused",
        "customer.subscription.resumed",
        "customer.subscription.trial_will_end",
        "customer.subscription.pending_update_applied",
        "customer.subscription.deleted",
      ],
      contact: (e) => customer(e.data.object.customer),
      update: {
        plan: (e) => planOf(e.data.object),
        subscriptionStatus: (e) => e.data.object.status,
        currentPeriodEnd: (e) => periodEnd(e.data.object),
        cancelAtPeriodEnd: (e) => cancelsAtPeriodEnd(e.data.object),
        // null where there never was a trial; one that is over keeps its date.
        trialEndsAt: (e) => seconds(e.data.object.trial_end),
      },
    },
    {
      name: "subscription started",
      on: "customer.subscription.created",
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "subscriptionStarted",
        properties: { plan: (e) => planOf(e.data.object), status: (e) => e.data.object.status },
      },
    },
    {
      name: "subscription canceled",
      on: "customer.subscription.deleted",
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "subscriptionCanceled",
        properties: { plan: (e) => planOf(e.data.object), reason: (e) => e.data.object.cancellation_details?.reason },
      },
    },
    // What an update means is told by `previous_attributes`. One update may mean several of these, most mean none; none of
    // them repeats what a type of its own says (created, deleted, paused, resumed, trial_will_end).
    {
      name: "upgraded",
      on: "customer.subscription.updated",
      when: (e) => turn(e.data) === 1,
      contact: (e) => customer(e.data.object.customer),
      event: { name: "upgraded", properties: changeOfPlan },
    },
    {
      name: "downgraded",
      on: "customer.subscription.updated",
      when: (e) => turn(e.data) === -1,
      contact: (e) => customer(e.data.object.customer),
      event: { name: "downgraded", properties: changeOfPlan },
    },
    {
      // The same product by the month and now by the year, or back. What a month comes to is in it, as in the two above.
      name: "plan changed",
      on: "customer.subscription.updated",
      when: (e) => isOtherInterval(e.data),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "planChanged",
        properties: { ...changeOfPlan, previousInterval: (e) => intervalOf(formerRecurring(e.data) ?? []) },
      },
    },
    {
      name: "cancel scheduled",
      on: "customer.subscription.updated",
      when: (e) => became(e.data, isEnding),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "cancelScheduled",
        properties: {
          plan: (e) => planOf(e.data.object),
          endsAt: (e) => seconds(e.data.object.cancel_at) ?? periodEnd(e.data.object),
          feedback: (e) => e.data.object.cancellation_details?.feedback,
          comment: (e) => clip(e.data.object.cancellation_details?.comment),
        },
      },
    },
    {
      // The customer took the cancellation back in time. A subscription that has ended cannot come back: that is a new one.
      name: "reactivated",
      on: "customer.subscription.updated",
      when: (e) => !isEnded(e.data.object) && became(e.data, (it) => !isEnding(it)),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "reactivated",
        properties: { plan: (e) => planOf(e.data.object), renewsAt: (e) => periodEnd(e.data.object) },
      },
    },
    {
      // From past_due to unpaid is no second time.
      name: "past due",
      on: "customer.subscription.updated",
      when: (e) => became(e.data, isLate),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "pastDue",
        properties: { plan: (e) => planOf(e.data.object), status: (e) => e.data.object.status },
      },
    },
    {
      name: "recovered",
      on: "customer.subscription.updated",
      when: (e) => isRunning(e.data.object) && became(e.data, (it) => !isLate(it)),
      contact: (e) => customer(e.data.object.customer),
      event: { name: "recovered", properties: { plan: (e) => planOf(e.data.object) } },
    },
    {
      // Three days before the end. Stripe also sends it when a trial is ended at once: then there is nothing to tell.
      name: "trial ending",
      on: "customer.subscription.trial_will_end",
      when: (e) => e.data.object.status === "trialing" && (e.data.object.trial_end ?? 0) > e.created,
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "trialEnding",
        properties: {
          plan: (e) => planOf(e.data.object),
          trialEndsAt: (e) => seconds(e.data.object.trial_end),
          // Somebody who has cancelled already will not be charged.
          cancelAtPeriodEnd: (e) => cancelsAtPeriodEnd(e.data.object),
          hasPaymentMethod: (e) =>
            Boolean(idOf(e.data.object.default_payment_method) ?? idOf(e.data.object.default_source)),
        },
      },
    },
    {
      name: "subscription paused",
      on: "customer.subscription.paused",
      contact: (e) => customer(e.data.object.customer),
      event: { name: "subscriptionPaused", properties: { plan: (e) => planOf(e.data.object) } },
    },
    {
      name: "subscription resumed",
      on: "customer.subscription.resumed",
      contact: (e) => customer(e.data.object.customer),
      event: { name: "subscriptionResumed", properties: { plan: (e) => planOf(e.data.object) } },
    },
    {
      // A change that waited for its payment. Whether it is up or down is told by `customer.subscription.updated`; that the
      // two come together is unconfirmed.
      name: "pending update applied",
      on: "customer.subscription.pending_update_applied",
      contact: (e) => customer(e.data.object.customer),
      event: { name: "pendingUpdateApplied", properties: { plan: (e) => planOf(e.data.object) } },
    },
    {
      // The payment for a change never came: the subscription stays as it was.
      name: "pending update expired",
      on: "customer.subscription.pending_update_expired",
      contact: (e) => customer(e.data.object.customer),
      event: { name: "pendingUpdateExpired", properties: { plan: (e) => planOf(e.data.object) } },
    },
    {
      // The contact stays: deleting it would forget that the person unsubscribed. To end its mail add
      // `remove: "unsubscribe"`, to forget the person `remove: "delete"`.
      name: "customer deleted",
      on: "customer.deleted",
      contact: (e) => (e.data.object.email ? { email: e.data.object.email } : customer(e.data.object.id)),
      event: { name: "customerDeleted" },
    },
    {
      name: "checkout payment failed",
      on: "checkout.session.async_payment_failed",
      contact: (e) => sessionContact(e.data.object),
      event: {
        name: "checkoutPaymentFailed",
        properties: {
          amount: (e) => total(e.data.object),
          amountValue: (e) => totalValue(e.data.object),
          currency: (e) => e.data.object.currency,
          mode: (e) => e.data.object.mode,
        },
      },
    },
    {
      // Most expired sessions know nobody. A mail about one is marketing in many countries: start it from this event only
      // for people who agreed to it (`promotionsConsent`, where you collect it), and never for one the team expired itself.
      name: "checkout abandoned",
      on: "checkout.session.expired",
      when: (e) =>
        e.data.object.mode !== "setup" && Boolean(sessionEmail(e.data.object) ?? idOf(e.data.object.customer)),
      contact: (e) => sessionContact(e.data.object),
      event: {
        name: "checkoutAbandoned",
        properties: {
          amount: (e) => total(e.data.object),
          amountValue: (e) => totalValue(e.data.object),
          currency: (e) => e.data.object.currency,
          mode: (e) => e.data.object.mode,
          recoveryUrl: (e) => shortLink(e.data.object.after_expiration?.recovery?.url),
          promotionsConsent: (e) => e.data.object.consent?.promotions,
        },
      },
    },
    {
      // A renewal has its receipt and, so that it costs one call, no event: drop that condition to start workflows on it.
      name: "invoice paid",
      on: "invoice.paid",
      when: (e) => e.data.object.amount_paid > 0 && e.data.object.billing_reason !== "subscription_cycle",
      contact: (e) => invoiceContact(e.data.object),
      update: {
        lastPurchaseAt: (e) => seconds(e.data.object.status_transitions.paid_at ?? e.created),
        lastPurchaseAmount: (e) => majorUnits(e.data.object.amount_paid, e.data.object.currency),
      },
      event: {
        name: "invoicePaid",
        properties: {
          amount: (e) => money(e.data.object.amount_paid, e.data.object.currency),
          amountValue: (e) => majorUnits(e.data.object.amount_paid, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          reason: (e) => e.data.object.billing_reason,
          number: (e) => e.data.object.number,
          invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
        },
      },
    },
    {
      // The bank wants the customer to confirm (3-D Secure); `invoice.payment_failed` comes beside it.
      name: "payment action required",
      on: "invoice.payment_action_required",
      when: (e) => !isFirst(e.data.object),
      contact: (e) => invoiceContact(e.data.object),
      event: {
        name: "paymentActionRequired",
        properties: {
          amount: (e) => invoiceAmount(e.data.object),
          amountValue: (e) => invoiceAmountValue(e.data.object),
          currency: (e) => e.data.object.currency,
          invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
        },
      },
    },
    {
      // Of nothing there is none to pay: a trial, a coupon, a balance that covers it.
      name: "invoice finalized",
      on: "invoice.finalized",
      when: (e) => e.data.object.amount_due > 0,
      contact: (e) => invoiceContact(e.data.object),
      event: {
        name: "invoiceFinalized",
        properties: {
          amount: (e) => invoiceAmount(e.data.object),
          amountValue: (e) => invoiceAmountValue(e.data.object),
          currency: (e) => e.data.object.currency,
          number: (e) => e.data.object.number,
          dueAt: (e) => seconds(e.data.object.due_date),
          // "charge_automatically" needs nothing of the customer, "send_invoice" does.
          collection: (e) => e.data.object.collection_method,
          invoiceUrl: (e) => shortLink(e.data.object.hosted_invoice_url),
        },
      },
    },
    {
      // A preview: the invoice has no id, number or page yet.
      name: "invoice upcoming",
      on: "invoice.upcoming",
      when: (e) => e.data.object.amount_due > 0,
      contact: (e) => invoiceContact(e.data.object),
      event: {
        name: "invoiceUpcoming",
        properties: {
          amount: (e) => invoiceAmount(e.data.object),
          amountValue: (e) => invoiceAmountValue(e.data.object),
          currency: (e) => e.data.object.currency,
          chargesAt: (e) => seconds(e.data.object.next_payment_attempt),
        },
      },
    },
    {
      name: "refunded",
      on: "charge.refunded",
      when: (e) =>
        (refund(e) ?? e.data.object.amount_refunded) > 0 && Object.values(chargeContact(e.data.object)).some(Boolean),
      contact: (e) => chargeContact(e.data.object),
      event: {
        name: "refunded",
        properties: {
          amount: (e) => {
            const amount = refund(e);
            return amount === undefined ? undefined : money(amount, e.data.object.currency);
          },
          amountValue: (e) => {
            const amount = refund(e);
            return amount === undefined ? undefined : majorUnits(amount, e.data.object.currency);
          },
          totalRefunded: (e) => money(e.data.object.amount_refunded, e.data.object.currency),
          totalRefundedValue: (e) => majorUnits(e.data.object.amount_refunded, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          full: (e) => e.data.object.refunded,
          receiptUrl: (e) => shortLink(e.data.object.receipt_url),
        },
      },
    },
    // A dispute names a charge, not a customer; the address is that of the evidence, where Stripe has filled it in.
    {
      name: "dispute created",
      on: "charge.dispute.created",
      when: (e) => Boolean(e.data.object.evidence.customer_email_address),
      contact: disputeContact,
      event: {
        name: "disputeCreated",
        properties: {
          amount: (e) => money(e.data.object.amount, e.data.object.currency),
          amountValue: (e) => majorUnits(e.data.object.amount, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          reason: (e) => e.data.object.reason,
        },
      },
    },
    {
      name: "dispute closed",
      on: "charge.dispute.closed",
      when: (e) => Boolean(e.data.object.evidence.customer_email_address),
      contact: disputeContact,
      event: {
        name: "disputeClosed",
        properties: {
          amount: (e) => money(e.data.object.amount, e.data.object.currency),
          amountValue: (e) => majorUnits(e.data.object.amount, e.data.object.currency),
          currency: (e) => e.data.object.currency,
          // "won" and "lost" as Stripe says it, from the team's side.
          status: (e) => e.data.object.status,
        },
      },
    },
    {
      // At the end of the month before, for cards kept as sources. Stripe announces no such thing for payment methods: it
      // renews their cards with the bank (`payment_method.automatically_updated`).
      name: "card expiring",
      on: "customer.source.expiring",
      when: (e) => e.data.object.object === "card" && Boolean(idOf(e.data.object.customer)),
      contact: (e) => (e.data.object.object === "card" ? customer(e.data.object.customer) : {}),
      event: {
        name: "cardExpiring",
        properties: {
          brand: (e) => (e.data.object.object === "card" ? e.data.object.brand : undefined),
          last4: (e) => (e.data.object.object === "card" ? e.data.object.last4 : undefined),
          expires: (e) => (e.data.object.object === "card" ? expiry(e.data.object) : undefined),
        },
      },
    },
    {
      name: "quote finalized",
      on: "quote.finalized",
      when: (e) => Boolean(idOf(e.data.object.customer)),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "quoteFinalized",
        properties: {
          amount: (e) => quoteAmount(e.data.object),
          amountValue: (e) => quoteAmountValue(e.data.object),
          currency: (e) => e.data.object.currency,
          number: (e) => e.data.object.number,
          expiresAt: (e) => seconds(e.data.object.expires_at),
        },
      },
    },
    {
      name: "quote accepted",
      on: "quote.accepted",
      when: (e) => Boolean(idOf(e.data.object.customer)),
      contact: (e) => customer(e.data.object.customer),
      event: {
        name: "quoteAccepted",
        properties: {
          amount: (e) => quoteAmount(e.data.object),
          amountValue: (e) => quoteAmountValue(e.data.object),
          currency: (e) => e.data.object.currency,
          number: (e) => e.data.object.number,
        },
      },
    },
    {
      name: "quote canceled",
      on: "quote.canceled",
      when: (e) => Boolean(idOf(e.data.object.customer)),
      contact: (e) => customer(e.data.object.customer),
      event: { name: "quoteCanceled", properties: { number: (e) => e.data.object.number } },
    },
  ],
  (e) => {
    switch (e.type) {
      case "customer.created":
      case "customer.updated":
        return link(e.data.object.id, e.data.object.email);
      case "checkout.session.completed":
      case "checkout.session.async_payment_succeeded":
        // If your client_reference_id is your own id of the person, add it as `userId`. Not by default: it comes from the
        // page that opened Checkout (a payment link takes it from its URL), so anyone could tie their address to a person.
        return link(e.data.object.customer, sessionEmail(e.data.object));
      case "invoice.paid":
      case "invoice.payment_failed":
      case "invoice.payment_action_required":
      case "invoice.finalized":
      case "invoice.upcoming":
        return link(e.data.object.customer, e.data.object.customer_email);
      default:
        return [];
    }
  },
);

const link = (reference: Parameters<typeof idOf>[0], email: string | null | undefined): readonly Link[] => {
  const ref = idOf(reference);
  return ref && email ? [{ ref, email }] : [];
};
