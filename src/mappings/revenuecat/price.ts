import type { RevenueCatPurchase } from "../../handlers/revenuecat.ts";
import { moneyOf } from "../../rules/billing/decimal.ts";
import { seconds } from "../../rules/values/seconds.ts";

type Event = { event: RevenueCatPurchase };

export const time = (milliseconds: number | null | undefined) =>
  typeof milliseconds === "number" ? seconds(milliseconds / 1000) : milliseconds;

/** Major units in the paid currency. (`price` is always in US dollars.) */
const price = ({ event }: Event): { amount: number; currency: string } | undefined => {
  const { price_in_purchased_currency: paid, currency, price: dollars } = event;
  if (paid != null && currency) return { amount: paid, currency };
  return dollars == null ? undefined : { amount: dollars, currency: "USD" };
};
export const isPaid = (e: Event) => (price(e)?.amount ?? 0) > 0;
/** False if RevenueCat does not know the price. */
export const isFree = (e: Event) => price(e)?.amount === 0;

/** A refund is negative. Webhooks have no locale, so en-US. */
const amountOf = (known: (e: Event) => ReturnType<typeof price>) => ({
  amount: (e: Event) => {
    const paid = known(e);
    return paid && moneyOf(Math.abs(paid.amount), paid.currency);
  },
  amountValue: (e: Event) => {
    const paid = known(e);
    return paid && Math.abs(paid.amount);
  },
  currency: (e: Event) => known(e)?.currency,
});
export const payment = amountOf(price);
export const refund = amountOf((e) => (isFree(e) ? undefined : price(e)));

export const purchase = {
  lastPurchaseAt: (e: Event) => (isPaid(e) ? time(e.event.purchased_at_ms ?? e.event.event_timestamp_ms) : undefined),
  lastPurchaseAmount: (e: Event) => (isPaid(e) ? price(e)?.amount : undefined),
};
