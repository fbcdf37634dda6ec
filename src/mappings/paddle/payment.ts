import type { PaddleAdjustment, PaddleTransaction } from "../../handlers/paddle.ts";
import { decimal } from "../../rules/billing/decimal.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";

type Transaction = { data: PaddleTransaction };
type Adjustment = { data: PaddleAdjustment };

// Strings in minor units, or whole units for currencies without them. Only JPY is confirmed; Stripe's list is used
// otherwise. Without a locale, amounts are in en-US. https://developer.paddle.com/api-reference/currencies
export const totalMinor = ({ details }: PaddleTransaction) =>
  decimal(details?.totals?.grand_total ?? details?.totals?.total ?? 0);

export const payment = {
  amount: ({ data }: Transaction) => money(totalMinor(data), data.currency_code),
  amountValue: ({ data }: Transaction) => majorUnits(totalMinor(data), data.currency_code),
  currency: ({ data }: Transaction) => data.currency_code,
};

export const adjustment = {
  amount: ({ data }: Adjustment) => money(decimal(data.totals.total), data.currency_code),
  amountValue: ({ data }: Adjustment) => majorUnits(decimal(data.totals.total), data.currency_code),
  currency: ({ data }: Adjustment) => data.currency_code,
};

export const isOfSubscription = ({ origin }: PaddleTransaction) => origin?.startsWith("subscription_") ?? false;

export const isManual = ({ collection_mode }: PaddleTransaction) => collection_mode === "manual";
