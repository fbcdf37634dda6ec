export type Recurring = {
  /** Compared if the price has no fixed amount. */
  price: string;
  product?: string | undefined;
  currency: string;
  /** Minor units per unit; undefined for metered and tiered prices. */
  amount: number | undefined;
  /** True for usage-based charges, without quantity. */
  metered?: boolean;
  quantity: number;
  interval: string;
  count: number;
};

/** Intervals per year, times 7. Whole numbers keep equal prices equal. */
const PER_YEAR: Readonly<Record<string, number>> = { day: 365 * 7, week: 365, month: 12 * 7, year: 7 };
const MONTHS = 12 * 7;

/** Returns the monthly charge in minor units: 29000 a year is 2416.67. Undefined if not fixed. */
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

const ROUNDING = 1e-9;

const isFixed = ({ amount }: Recurring) => amount !== undefined;

const sign = (difference: number) => (difference > 0 ? 1 : difference < 0 ? -1 : 0);

const tierDirections = (was: readonly Recurring[], is: readonly Recurring[]): (-1 | 0 | 1)[] | undefined => {
  const quantities = (items: readonly Recurring[]) => {
    const sums = new Map<string, number>();
    for (const item of items)
      if (!isFixed(item) && !item.metered) sums.set(item.price, (sums.get(item.price) ?? 0) + item.quantity);
    return sums;
  };
  const [former, now] = [quantities(was), quantities(is)];
  // Different tiers cannot be compared: the webhook lacks their amounts.
  if (former.size !== now.size || [...former.keys()].some((price) => !now.has(price))) return undefined;
  return [...former].map(([price, quantity]) => sign((now.get(price) ?? 0) - quantity));
};

const fixedDirection = (was: readonly Recurring[], is: readonly Recurring[]): -1 | 0 | 1 | undefined => {
  if (was[0]?.currency !== is[0]?.currency) return undefined;
  const [before, after] = [perMonth(was), perMonth(is)];
  if (before === undefined || after === undefined) return undefined;
  return Math.abs(after - before) <= ROUNDING * Math.max(1, Math.abs(before), Math.abs(after))
    ? 0
    : sign(after - before);
};

/** Returns 1 if the monthly bill rises, -1 if it falls, 0 if equal. Undefined if not comparable. */
export const direction = (was: readonly Recurring[], is: readonly Recurring[]): -1 | 0 | 1 | undefined => {
  const tiers = tierDirections(was, is);
  const [former, now] = [was.filter(isFixed), is.filter(isFixed)];
  const fixed = former.length + now.length === 0 ? [] : [fixedDirection(former, now)];
  if (!tiers) return undefined;
  const directions = [...fixed, ...tiers];
  if (directions.length === 0 || directions.includes(undefined)) return undefined;
  if (directions.includes(1) && directions.includes(-1)) return undefined;
  return directions.find((one) => one !== 0) ?? 0;
};

/** Returns the interval in words, "3 months"; undefined if items differ. */
export const intervalOf = (items: readonly Recurring[]): string | undefined => {
  const [only, ...others] = new Set((items.some(isFixed) ? items.filter(isFixed) : items).map(inWords));
  return others.length === 0 ? only : undefined;
};

/** Charges per year, times 7: equal for "year" and "12 months". */
const perYear = ({ interval, count }: Recurring) => (PER_YEAR[interval] ?? Number.NaN) / count;

const inWords = ({ interval, count }: Recurring) => (count === 1 ? interval : `${count} ${interval}s`);

const intervals = (items: readonly Recurring[]): Set<number> =>
  new Set((items.some(isFixed) ? items.filter(isFixed) : items).map(perYear).filter(Number.isFinite));

const differ = (was: readonly Recurring[], is: readonly Recurring[]): boolean => {
  const [former, now] = [intervals(was), intervals(is)];
  return former.size > 0 && now.size > 0 && [...former].every((interval) => !now.has(interval));
};

/** True if the billing interval changed: no upgrade or downgrade. */
export const changedInterval = (was: readonly Recurring[], is: readonly Recurring[]): boolean => {
  const productsIn = (items: readonly Recurring[]) => new Set(items.map(({ product }) => product));
  const now = productsIn(is);
  const shared = new Set([...productsIn(was)].filter((product) => now.has(product)));
  const of = (items: readonly Recurring[], product?: string) => items.filter((item) => item.product === product);
  const others = (items: readonly Recurring[]) => items.filter(({ product }) => !shared.has(product));
  return [...shared].some((product) => differ(of(was, product), of(is, product))) || differ(others(was), others(is));
};
