import type { Comparisons, PropertyValue } from "../types.ts";
import { majorUnits, money } from "./money.ts";
import { intervalOf, perMonth, type Recurring } from "./monthly.ts";

/** A bill to compare with the stored one. `offer`: product, interval, price; `terms`: what makes amounts comparable. */
export type Bill = {
  offer: string;
  terms: string;
  monthlyAmountMinor: number | undefined;
  monthlyAmountValue: number | undefined;
  /** With all other items. */
  totalValue: number | undefined;
  interval: string | undefined;
  currency: string | undefined;
};

/**
 * @param product id of the plan's product
 * @param items the plan's own charge; empty if it is not known
 * @param all the charges of all items
 */
export const billOf = (product: string | undefined, items: readonly Recurring[], all = items): Bill => {
  const [monthly, interval, currency] = [perMonth(items), intervalOf(items), items[0]?.currency];
  const total = perMonth(all);
  const minor = monthly === undefined ? undefined : Math.round(monthly);
  // Old webhooks of Paddle have no currency.
  const isFixed = minor !== undefined && Boolean(currency);
  return {
    offer: [product, interval, ...(isFixed ? [minor] : [])].join(" "),
    terms: [currency, interval, ...(isFixed ? [] : ["open"])].join(" "),
    monthlyAmountMinor: minor,
    monthlyAmountValue: isFixed ? majorUnits(minor, currency ?? "") : undefined,
    totalValue: isFixed && total !== undefined ? majorUnits(Math.round(total), currency ?? "") : undefined,
    interval,
    currency: currency || undefined,
  };
};

type Leaves<E> = Readonly<Record<string, (event: E) => PropertyValue>>;

/** The state of a bill, for `subscription.state`. */
export const billState = <E>(bill: (event: E) => Bill) =>
  ({
    offer: (e) => bill(e).offer,
    terms: (e) => bill(e).terms,
    monthlyAmountValue: (e) => bill(e).monthlyAmountValue,
    totalValue: (e) => bill(e).totalValue,
    interval: (e) => bill(e).interval,
    currency: (e) => bill(e).currency,
  }) satisfies Leaves<E>;

/** Comparisons of a bill with the stored one, for `ifStored`: at most one holds. A rise is one of the plan and of all. */
export const billChange = <E>(bill: (event: E) => Bill) => {
  const { offer, terms, monthlyAmountValue, totalValue } = billState(bill);
  const rose = { is: { terms }, below: { monthlyAmountValue, totalValue } };
  const fell = { is: { terms }, above: { monthlyAmountValue, totalValue } };
  return { rose, fell, other: { changed: { offer }, unless: [rose, fell] } } satisfies Record<
    string,
    Comparisons<Leaves<E>> & { unless?: readonly Comparisons<Leaves<E>>[] }
  >;
};

/** Properties of an event of a changed bill. */
export const billProperties = <E>(bill: (event: E) => Bill, currency: (event: E) => string) => ({
  monthlyAmount: (e: E) => {
    const { monthlyAmountMinor } = bill(e);
    return monthlyAmountMinor === undefined ? undefined : money(monthlyAmountMinor, currency(e));
  },
  monthlyAmountValue: (e: E) => bill(e).monthlyAmountValue,
  previousMonthlyAmountValue: { stored: "monthlyAmountValue" },
  currency,
  interval: (e: E) => bill(e).interval,
});
