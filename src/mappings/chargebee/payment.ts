import type { ChargebeeContent, ChargebeeInvoice } from "../../handlers/chargebee.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { locale } from "../../rules/values/locale.ts";

type Event = { content: ChargebeeContent };

const isSettled = ({ status }: ChargebeeInvoice) => status === "paid" || status === "voided";

/** Minor units. */
export const dueMinor = (invoice: ChargebeeInvoice | undefined) =>
  invoice?.amount_due ?? (invoice && !isSettled(invoice) ? (invoice.total ?? 0) : 0);

const currency = ({ content: { transaction, invoice, subscription } }: Event) =>
  transaction?.currency_code ?? invoice?.currency_code ?? subscription?.currency_code ?? "USD";

/**
 * Amounts are in minor units, or whole units for currencies without them.
 * @see https://www.chargebee.com/docs/billing/2.0/kb/product-catalog/what-are-zero-decimal-currencies
 */
const amountOf = (minor: (e: Event) => number | undefined) => ({
  amount: (e: Event) => {
    const known = minor(e);
    return known === undefined ? undefined : money(known, currency(e), locale(e.content.customer?.locale));
  },
  amountValue: (e: Event) => {
    const known = minor(e);
    return known === undefined ? undefined : majorUnits(known, currency(e));
  },
  currency: (e: Event) => (minor(e) === undefined ? undefined : currency(e)),
});

const paidMinor = ({ content: { transaction, invoice } }: Event) => transaction?.amount ?? dueMinor(invoice);

export const payment = amountOf(paidMinor);
export const due = amountOf(({ content }) => dueMinor(content.invoice));
export const total = amountOf(({ content }) => content.invoice?.total);

/** Formats as 04/2027. */
export const expiry = (card: { expiry_month?: number; expiry_year?: number } | undefined) =>
  card?.expiry_year && `${String(card.expiry_month).padStart(2, "0")}/${card.expiry_year}`;
