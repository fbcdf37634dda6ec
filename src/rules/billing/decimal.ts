import { majorUnits, money } from "./money.ts";

/**
 * A provider's amount as a number, in the provider's own units (major or minor): `decimal("49.00")` is 49.
 * @throws where the amount is empty or not a finite number
 */
export const decimal = (amount: string | number): number => {
  const value = typeof amount === "string" && amount.trim() === "" ? Number.NaN : Number(amount);
  if (!Number.isFinite(value)) throw new Error(`An amount must be a finite number, got "${amount}".`);
  return value;
};

/** Formats an amount in major units: `moneyOf("49.5", "usd")` is "$49.50", `moneyOf(4900, "jpy")` is "¥4,900". */
export const moneyOf = (amount: string | number, currency: string, locale?: string): string =>
  money(Math.round(decimal(amount) / majorUnits(1, currency)), currency, locale);
