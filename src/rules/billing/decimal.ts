import { majorUnits, money } from "./money.ts";

/**
 * The number behind a provider's amount: `decimal("49.00")` is 49. In the provider's own units, major or minor.
 * @throws where it is no finite number; an empty text is none
 */
export const decimal = (amount: string | number): number => {
  const value = typeof amount === "string" && amount.trim() === "" ? Number.NaN : Number(amount);
  if (!Number.isFinite(value)) throw new Error(`An amount has to be a finite number, got "${amount}".`);
  return value;
};

/** An amount in major units as a person reads it: `moneyOf("49.5", "usd")` is "$49.50", `moneyOf(4900, "jpy")` is "¥4,900". */
export const moneyOf = (amount: string | number, currency: string, locale?: string): string =>
  money(Math.round(decimal(amount) / majorUnits(1, currency)), currency, locale);
