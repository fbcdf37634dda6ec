import { type PolarOrder, polar } from "../../handlers/polar.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { rules } from "../../rules/types.ts";
import { clip, shortLink } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";
import { locale } from "../../rules/values/locale.ts";
import { buyerProfile, person } from "./customer.ts";

type Order = { data: PolarOrder };

const moneyIn = (minor: number, { currency, customer: who }: PolarOrder) => money(minor, currency, locale(who.locale));
const totalValue = ({ data }: Order) => majorUnits(data.total_amount, data.currency);
const payment = {
  amount: ({ data }: Order) => moneyIn(data.total_amount, data),
  amountValue: totalValue,
  currency: ({ data }: Order) => data.currency,
};

/** Total refunded, with tax. An order does not list single refunds. */
const refunded = (order: PolarOrder) => order.refunded_amount + order.refunded_tax_amount;

/** An order for usage after the end has the same billing reason and is no renewal. */
const isRenewal = ({ billing_reason, total_amount, subscription }: PolarOrder) =>
  billing_reason === "subscription_cycle" && total_amount > 0 && !subscription?.ended_at;

const isAfterTrial = ({ subscription }: PolarOrder) => {
  const { trial_end, current_period_start } = subscription ?? {};
  return Boolean(trial_end && current_period_start) && iso(trial_end) === iso(current_period_start);
};

export default rules(polar, [
  {
    name: "purchase",
    on: "order.paid",
    when: (e) => e.data.total_amount > 0,
    contact: person,
    update: {
      ...buyerProfile,
      lastPurchaseAt: (e) => iso(e.data.created_at),
      lastPurchaseAmount: totalValue,
    },
  },
  {
    name: "checkout completed",
    on: "order.paid",
    when: (e) => e.data.billing_reason === "purchase" || e.data.billing_reason === "subscription_create",
    contact: person,
    event: {
      name: "checkoutCompleted",
      properties: {
        ...payment,
        mode: (e) => (e.data.billing_reason === "purchase" ? "payment" : "subscription"),
        product: (e) => clip(e.data.product?.name),
      },
    },
  },
  {
    name: "subscription renewed",
    on: "order.paid",
    when: (e) => isRenewal(e.data),
    contact: person,
    event: { name: "subscriptionRenewed", properties: payment },
  },
  {
    name: "trial converted",
    on: "order.paid",
    when: (e) => isRenewal(e.data) && isAfterTrial(e.data),
    contact: person,
    event: {
      name: "trialConverted",
      properties: {
        plan: (e) => clip(e.data.product?.name),
        planName: (e) => clip(e.data.product?.name),
        renewsAt: (e) => iso(e.data.subscription?.current_period_end),
      },
    },
  },
  {
    name: "refunded",
    on: "order.refunded",
    contact: person,
    event: {
      name: "refunded",
      properties: {
        totalRefunded: (e) => moneyIn(refunded(e.data), e.data),
        totalRefundedValue: (e) => majorUnits(refunded(e.data), e.data.currency),
        currency: (e) => e.data.currency,
        full: (e) => e.data.status === "refunded",
      },
    },
  },
  {
    // In many countries this mail is marketing and requires consent.
    name: "checkout abandoned",
    on: "checkout.expired",
    when: (e) => Boolean(e.data.customer_email),
    contact: { email: (e) => e.data.customer_email },
    event: {
      name: "checkoutAbandoned",
      properties: {
        amount: (e) => money(e.data.total_amount, e.data.currency, locale(e.data.locale)),
        amountValue: (e) => majorUnits(e.data.total_amount, e.data.currency),
        currency: (e) => e.data.currency,
        product: (e) => clip(e.data.product?.name),
        checkoutUrl: (e) => shortLink(e.data.url),
      },
    },
  },
]);
