/** What a subscription charges again and again for one of its items. */
export type Recurring = {
  /** Identifies the price, for those that have no fixed amount. */
  price: string;
  currency: string;
  /** Per unit, in minor units; undefined where it depends on use or on tiers. */
  amount: number | undefined;
  quantity: number;
  interval: string;
  count: number;
};

/** Sevenths of how often an interval fits into a year: whole numbers, so that equal prices stay equal. */
const PER_YEAR: Readonly<Record<string, number>> = { day: 365 * 7, week: 365, month: 12 * 7, year: 7 };
const MONTHS = 12 * 7;

/**
 * Minor units per month over all items: 29000 a year is 2416.67 a month. Undefined where an item has no fixed amount,
 * where currencies are mixed, or where there is no item.
 */
export const perMonth = (items: readonly Recurring[]): number | undefined => {
  const currency = items[0]?.currency;
  let sum = 0;
  for (const item of items) {
    const times = Object.hasOwn(PER_YEAR, item.interval) ? (PER_YEAR[item.interval] ?? 0) / item.count : Number.NaN;
    if (item.amount === undefined || item.currency !== currency || !Number.isFinite(times)) return undefined;
    sum += item.amount * item.quantity * times;
  }
  return items.length > 0 ? sum / MONTHS : undefined;
};

/** Of a sum in cents, what rounding alone may make of it. */
const CLOSE = 1e-9;

/**
 * What a change of items means for the bill per month: 1 more, -1 less, 0 the same, undefined where it cannot be told
 * (another currency, or other prices that have no fixed amount).
 */
export const direction = (was: readonly Recurring[], is: readonly Recurring[]): -1 | 0 | 1 | undefined => {
  // A metered item that is on both sides says nothing about which is dearer.
  const open = (items: readonly Recurring[]) => items.filter(({ amount }) => amount === undefined);
  const prices = (items: readonly Recurring[]) =>
    open(items)
      .map(({ price }) => price)
      .sort()
      .join("\n");
  if (prices(was) !== prices(is)) return undefined;
  const fixed = (items: readonly Recurring[]) => items.filter(({ amount }) => amount !== undefined);
  const [former, now] = [fixed(was), fixed(is)];
  if (former[0]?.currency !== now[0]?.currency) return undefined;
  const [before, after] = [perMonth(former), perMonth(now)];
  if (before === undefined || after === undefined) return undefined;
  if (Math.abs(after - before) <= CLOSE * Math.max(1, Math.abs(before), Math.abs(after))) return 0;
  return after > before ? 1 : -1;
};
