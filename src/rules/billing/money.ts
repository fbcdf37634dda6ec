import { remember } from "../../lib/util/remember.ts";

// Stripe differs from ISO 4217 (https://docs.stripe.com/currencies). It sends ISK and UGX in hundredths; HUF and TWD
// differ in payouts only.
const WITHOUT_MINOR_UNIT = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const IN_THOUSANDTHS = new Set("BHD JOD KWD OMR TND".split(" "));

const decimals = (currency: string) => {
  const code = currency.toUpperCase();
  return WITHOUT_MINOR_UNIT.has(code) ? 0 : IN_THOUSANDTHS.has(code) ? 3 : 2;
};

/** Converts to major units: `majorUnits(4900, "usd")` is 49, `majorUnits(4900, "jpy")` is 4900. */
export const majorUnits = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimals(currency);

/**
 * Formats minor units as Stripe counts them: `money(4900, "usd")` is "$49.00".
 * @throws if the currency is not three letters or the amount not finite
 */
export const money = (amountMinor: number, currency: string, locale = "en-US"): string => {
  const amount = majorUnits(amountMinor, currency);
  if (!Number.isFinite(amount)) {
    // Messages contain no value of a webhook.
    const given = typeof amountMinor === "string" ? "a string" : amountMinor;
    throw new Error(`An amount must be a finite number, got ${given}.`);
  }
  return formatted(amount || 0, currency, locale);
};

const formatted = remember((amount: number, currency: string, locale: string) =>
  // Intl alone would round 999.50 HUF.
  formatOf(locale, currency, Number.isInteger(amount) ? "usual" : decimals(currency)).format(amount),
);

const formatOf = remember((locale: string, currency: string, digits: number | "usual"): Intl.NumberFormat => {
  const format = { style: "currency", currency } as const;
  const usual = () => new Intl.NumberFormat(locale, format).resolvedOptions().maximumFractionDigits ?? 2;
  const given = digits === "usual" ? usual() : digits;
  return new Intl.NumberFormat(locale, { ...format, minimumFractionDigits: given, maximumFractionDigits: given });
});
