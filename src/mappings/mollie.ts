import { type MollieAmount, type MollieEvent, type MollieSalesInvoice, mollie } from "../handlers/mollie.ts";
import { decimal, moneyOf } from "../rules/billing/decimal.ts";
import { rules } from "../rules/types.ts";
import { clip, shortLink } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { locale } from "../rules/values/locale.ts";

type Event = Extract<MollieEvent, { type: `sales-invoice.${string}` }>;
type Given = Pick<Event, "_embedded" | "createdAt">;

const invoice = ({ _embedded }: Given): MollieSalesInvoice | undefined => _embedded?.entity;
const recipient = (e: Given) => invoice(e)?.recipient ?? undefined;
const hasRecipient = (e: Given) => Boolean(recipient(e)?.email);
const person = { email: (e: Given) => recipient(e)?.email };
const isOpen = (e: Given) => decimal(invoice(e)?.amountDue?.value ?? "0") > 0;

const amounts = (of: (e: Given) => MollieAmount | null | undefined) => ({
  amount: (e: Given) => {
    const amount = of(e);
    return amount ? moneyOf(amount.value, amount.currency, locale(recipient(e)?.locale)) : undefined;
  },
  amountValue: (e: Given) => {
    const amount = of(e);
    return amount ? decimal(amount.value) : undefined;
  },
  currency: (e: Given) => of(e)?.currency,
});

const total = amounts((e) => invoice(e)?.totalAmount);
const due = amounts((e) => invoice(e)?.amountDue);
const number = (e: Given) => invoice(e)?.invoiceNumber;
const own = (name: string | null | undefined) => clip(name) || undefined;

// Mollie's signed webhooks say nothing of payments, customers and subscriptions: use classic webhooks in your own code
// and post what they mean to the source "generic". A simple payload has no invoice, so no rule matches.
export default rules(mollie, [
  {
    name: "invoice paid",
    on: "sales-invoice.paid",
    when: hasRecipient,
    contact: person,
    update: {
      firstName: { guess: (e) => own(recipient(e)?.givenName), from: "purchase" },
      lastName: { guess: (e) => own(recipient(e)?.familyName), from: "purchase" },
      lastPurchaseAt: (e) => iso(e.createdAt),
      lastPurchaseAmount: total.amountValue,
    },
    event: {
      name: "invoicePaid",
      properties: { ...total, number, invoiceUrl: (e) => shortLink(invoice(e)?._links?.pdfLink?.href) },
    },
  },
  {
    // A paid one is issued too.
    name: "invoice finalized",
    on: "sales-invoice.issued",
    when: (e) => hasRecipient(e) && isOpen(e),
    contact: person,
    event: {
      name: "invoiceFinalized",
      properties: {
        ...due,
        number,
        dueAt: (e) => iso(invoice(e)?.dueAt),
        invoiceUrl: (e) => shortLink(invoice(e)?._links?.invoicePayment?.href),
      },
    },
  },
  {
    name: "invoice voided",
    on: "sales-invoice.canceled",
    when: hasRecipient,
    contact: person,
    event: { name: "invoiceVoided", properties: { ...total, number } },
  },
]);
