import { majorUnits, money } from "./money.ts";

/**
 * Parses a provider's amount in its own units: `decimal("49.00")` is 49.
 * @throws if the amount is empty or not finite
 */
export const decimal = (amount: string | number): number => {
  const value = typeof amount === "string" && amount.trim() === "" ? Number.NaN : Number(amount);
  if (!Number.isFinite(value)) throw new Error(`An amount must be a finite number, got "${amount}".`);
  return value;
};

/** Formats major units: `moneyOf("49.5", "usd")` is "$49.50". */
export const moneyOf = (amount: string | number, currency: string, locale?: string): string =>
  money(Math.round(decimal(amount) / majorUnits(1, currency)), currency, locale);
