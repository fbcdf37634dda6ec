import { idOf, type Reference } from "../people/customer.ts";
import { type PlanChoice, type PlanItem, saysAddOn } from "./plan-item.ts";

// The forms before and since API version 2025-03-31.
type Line = {
  amount: number;
  description?: string | null;
  quantity?: number | null;
  type?: string;
  proration?: boolean;
  period?: { start: number; end: number } | null;
  price?: { id?: string; product?: Reference; recurring?: { usage_type?: string } | null } | null;
  plan?: { id?: string; product?: Reference; usage_type?: string } | null;
  pricing?: {
    price_details?: { price?: Reference; product?: Reference } | null;
    unit_amount_decimal?: unknown;
  } | null;
  parent?: {
    type?: string;
    subscription_item_details?: { proration?: boolean } | null;
    invoice_item_details?: { proration?: boolean } | null;
  } | null;
};
type Invoice = { lines?: { data: readonly Line[] } | null; period_end?: number | null };

const isProration = ({ proration, parent }: Line) =>
  proration === true ||
  parent?.subscription_item_details?.proration === true ||
  parent?.invoice_item_details?.proration === true;

const isOneTime = ({ type, parent }: Line) => type === "invoiceitem" || parent?.type === "invoice_item_details";

/** Usage is billed at the end of its period, a licensed price at the start. */
const isUsage = ({ price, plan, period }: Line, { period_end: end }: Invoice) => {
  const type = price?.recurring?.usage_type ?? plan?.usage_type;
  return type ? type === "metered" : Boolean(period && end && period.end <= end);
};

/** Matches the quantity in Stripe's own descriptions: "62,500 × API calls (at $0.002 / month)". */
const COUNTED = /^(\d[\d.,\s]*)\D*×/;

/** Matches what Stripe's own descriptions have around the name. */
const AROUND = /^\d[^×]*×\s*|\s*\(at [^()]*\)$/g;

const quantityOf = ({ quantity, description }: Line) => {
  const counted = COUNTED.exec(description ?? "")?.[1]?.replace(/\D/g, "");
  return quantity ?? Number(counted ?? 1);
};

/** Seconds of a twelfth of a year. */
const MONTH = (365 * 24 * 3600) / 12;

const monthlyOf = (line: Line) => {
  const { amount, pricing, period } = line;
  if (amount === 0) return 0;
  const given = amount > 0 ? Number(pricing?.unit_amount_decimal ?? Number.NaN) : Number.NaN;
  const unit = Number.isFinite(given) ? given : amount / (quantityOf(line) || 1);
  const seconds = period ? period.end - period.start : 0;
  return seconds > 0 ? (unit * MONTH) / seconds : unit;
};

const planItemOf = (line: Line, invoice: Invoice): PlanItem & { line: Line } => {
  const { price, plan, pricing } = line;
  const product = idOf(pricing?.price_details?.product) ?? idOf(price?.product) ?? idOf(plan?.product);
  const ids = [idOf(pricing?.price_details?.price), price?.id, plan?.id, product];
  return {
    ids: ids.filter((id) => id !== undefined),
    product,
    name: line.description ?? undefined,
    addOn: saysAddOn(line.description?.replace(AROUND, "")),
    extra: isProration(line) || isOneTime(line) || isUsage(line, invoice),
    monthly: monthlyOf(line),
    quantity: quantityOf(line),
    line,
  };
};

/** Returns the description of an invoice's line for the plan: not of usage, a proration or a one-time charge. */
export const planLine = (invoice: Invoice, choose: PlanChoice): string | undefined =>
  choose((invoice.lines?.data ?? []).map((line) => planItemOf(line, invoice)))?.line.description ?? undefined;
