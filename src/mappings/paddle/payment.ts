import type { PaddleAdjustment, PaddleTransaction } from "../../handlers/paddle.ts";
import { decimal } from "../../rules/billing/decimal.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";

type Transaction = { data: PaddleTransaction };
type Adjustment = { data: PaddleAdjustment };

// Amounts are strings in minor units, or in whole units for currencies without minor units, as at Stripe. Only JPY was
// confirmed in Paddle's list (`decimal_places`); for other currencies Stripe's list is used, which is unconfirmed here.
// A transaction has no locale (other webhooks contain the customer's), so amounts are in en-US.
// https://developer.paddle.com/api-reference/currencies
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

/** True for a charge of a subscription: a renewal, or a charge between two renewals. */
export const isOfSubscription = ({ origin }: PaddleTransaction) => origin?.startsWith("subscription_") ?? false;

/** True for an invoice that the team sends and the customer pays by hand. */
export const isManual = ({ collection_mode }: PaddleTransaction) => collection_mode === "manual";
