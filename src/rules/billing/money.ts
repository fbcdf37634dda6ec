import { remember } from "../../lib/util/remember.ts";

// Stripe counts in minor units, but not always in those of ISO 4217: these have none (https://docs.stripe.com/currencies).
// ISK and UGX have none either, yet Stripe keeps sending them in hundredths; HUF and TWD differ in payouts only.
const WITHOUT_MINOR_UNIT = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const IN_THOUSANDTHS = new Set("BHD JOD KWD OMR TND".split(" "));

const decimals = (currency: string) => {
  const code = currency.toUpperCase();
  return WITHOUT_MINOR_UNIT.has(code) ? 0 : IN_THOUSANDTHS.has(code) ? 3 : 2;
};

/** An amount in major units: `majorUnits(4900, "usd")` is 49, `majorUnits(4900, "jpy")` is 4900. */
export const majorUnits = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimals(currency);

/**
 * An amount as a person reads it: `money(4900, "usd")` is "$49.00", `money(4900, "jpy")` is "¥4,900".
 * @param amountMinor Minor units as Stripe counts them.
 * @param currency ISO 4217 code in either case.
 * @throws where the currency is not three letters or the amount is not finite
 */
export const money = (amountMinor: number, currency: string, locale = "en-US"): string => {
  const amount = majorUnits(amountMinor, currency);
  if (!Number.isFinite(amount)) throw new Error(`An amount has to be a finite number, got ${amountMinor}.`);
  // Whole amounts as people write them in this currency; any other with all its digits: Intl alone would round 999.50 HUF.
  return formatOf(locale, currency, Number.isInteger(amount) ? "usual" : decimals(currency)).format(amount);
};

const formatOf = remember((locale: string, currency: string, digits: number | "usual"): Intl.NumberFormat => {
  const format = { style: "currency", currency } as const;
  const usual = () => new Intl.NumberFormat(locale, format).resolvedOptions().maximumFractionDigits ?? 2;
  const given = digits === "usual" ? usual() : digits;
  return new Intl.NumberFormat(locale, { ...format, minimumFractionDigits: given, maximumFractionDigits: given });
});
