import type { WooCommerceOrder, WooCommerceSubscription } from "../../handlers/woocommerce.ts";
import { decimal } from "../../rules/billing/decimal.ts";
import { customer } from "../../rules/people/customer.ts";
import type { Contact, Link } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { iso } from "../../rules/values/iso.ts";

type Bought = Pick<WooCommerceOrder | WooCommerceSubscription, "billing" | "customer_id" | "line_items">;

/** Customers and orders have the same numbers. A buyer without an account is customer 0. */
export const customerRef = (id: number): string | undefined => (id > 0 ? `customer-${id}` : undefined);

export const buyer = ({ billing, customer_id }: Bought): Contact =>
  billing.email ? { email: billing.email } : customer(customerRef(customer_id));

export const buyerLinks = ({ billing: { email }, customer_id }: Bought): readonly Link[] => {
  const ref = customerRef(customer_id);
  return ref && email ? [{ ref, email, strength: "purchase" }] : [];
};

/** The dearest product. */
export const product = ({ line_items }: Bought): string | undefined => {
  const price = ({ total }: { total?: string }) => decimal(total || "0");
  return clip(line_items.toSorted((a, b) => price(b) - price(a) || (a.name < b.name ? -1 : 1))[0]?.name);
};

/** UTC without a zone; "", "0" and null are no time. */
export const gmt = (time: string | null | undefined): string | undefined =>
  time && time !== "0" ? (iso(`${time}Z`) ?? undefined) : undefined;
