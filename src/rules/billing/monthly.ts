/** What a subscription charges again and again for one of its items. */
export type Recurring = {
  /** Identifies the price, for those that have no fixed amount. */
  price: string;
  /** What the price is for, where that is told. */
  product?: string | undefined;
  currency: string;
  /** Per unit, in minor units; undefined where it depends on use or on tiers. */
  amount: number | undefined;
  /** True where it is charged by use, which has no quantity. */
  metered?: boolean;
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

const isFixed = ({ amount }: Recurring) => amount !== undefined;

const sign = (difference: number) => (difference > 0 ? 1 : difference < 0 ? -1 : 0);

/** Quantities by price of what is charged by tiers: how much more or less of each there is. */
const tierTurns = (was: readonly Recurring[], is: readonly Recurring[]): (-1 | 0 | 1)[] | undefined => {
  const quantities = (items: readonly Recurring[]) => {
    const sums = new Map<string, number>();
    for (const item of items)
      if (!isFixed(item) && !item.metered) sums.set(item.price, (sums.get(item.price) ?? 0) + item.quantity);
    return sums;
  };
  const [former, now] = [quantities(was), quantities(is)];
  // Of other tiers nobody knows whether they are dearer.
  if (former.size !== now.size || [...former.keys()].some((price) => !now.has(price))) return undefined;
  return [...former].map(([price, quantity]) => sign((now.get(price) ?? 0) - quantity));
};

/** What has a fixed price, against the same before: undefined where that cannot be told, or where there is none on either side. */
const fixedTurn = (was: readonly Recurring[], is: readonly Recurring[]): -1 | 0 | 1 | undefined => {
  if (was[0]?.currency !== is[0]?.currency) return undefined;
  const [before, after] = [perMonth(was), perMonth(is)];
  if (before === undefined || after === undefined) return undefined;
  return Math.abs(after - before) <= CLOSE * Math.max(1, Math.abs(before), Math.abs(after)) ? 0 : sign(after - before);
};

/**
 * What a change of items means for the bill per month: 1 more, -1 less, 0 the same, undefined where it cannot be told
 * (another currency, other tiers, nothing that can be compared, or one part dearer and another cheaper). What is charged
 * by use says nothing: the parts beside it are compared.
 */
export const direction = (was: readonly Recurring[], is: readonly Recurring[]): -1 | 0 | 1 | undefined => {
  const tiers = tierTurns(was, is);
  const [former, now] = [was.filter(isFixed), is.filter(isFixed)];
  const fixed = former.length + now.length === 0 ? [] : [fixedTurn(former, now)];
  if (!tiers) return undefined;
  const turns = [...fixed, ...tiers];
  if (turns.length === 0 || turns.includes(undefined)) return undefined;
  if (turns.includes(1) && turns.includes(-1)) return undefined;
  return turns.find((turn) => turn !== 0) ?? 0;
};

/** An interval in words: "month", "3 months". Of the parts with a fixed price, else of all; undefined where they differ. */
export const intervalOf = (items: readonly Recurring[]): string | undefined => {
  const [only, ...others] = new Set((items.some(isFixed) ? items.filter(isFixed) : items).map(inWords));
  return others.length === 0 ? only : undefined;
};

/** How often it is charged, whatever words say it: 12 months are a year. */
const perYear = ({ interval, count }: Recurring) => (PER_YEAR[interval] ?? Number.NaN) / count;

const inWords = ({ interval, count }: Recurring) => (count === 1 ? interval : `${count} ${interval}s`);

/**
 * True where a product that stays is charged in another interval than before: monthly is now yearly. That is neither
 * dearer nor cheaper, whatever a month of it comes to.
 */
export const changedInterval = (was: readonly Recurring[], is: readonly Recurring[]): boolean =>
  was.some(({ product }) => {
    if (product === undefined) return false;
    const intervals = (items: readonly Recurring[]) => {
      const same = items.filter((item) => item.product === product);
      return new Set((same.some(isFixed) ? same.filter(isFixed) : same).map(perYear));
    };
    const [former, now] = [intervals(was), intervals(is)];
    return now.size > 0 && ![...former].some((interval) => now.has(interval));
  });
