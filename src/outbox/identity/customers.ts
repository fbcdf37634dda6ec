import type { PlannedDelivery } from "../../rules/types.ts";
import { isNewer, type Watermark, type Watermarks, WHOLE } from "./watermarks.ts";

/** `as`: the contact property that holds the id. `moved`: from another person, and not yet shown by an update. */
type Customer = { as: string; at: Watermark; moved?: true };

/** A person's customers at providers, by ref ("stripe:cus_1"). */
export type Customers = Readonly<Record<string, Customer>>;

export const plannedCustomers = ({ customer }: PlannedDelivery & { action: "contact" }, at: Watermark): Customers =>
  customer ? { [customer.ref]: { as: customer.as, at } } : {};

/** Merges customers; the newer webhook wins. */
export const mergedCustomers = (a: Customers, b: Customers): Customers => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).filter(([ref, { at }]) => {
      const known = a[ref];
      return !known || !isNewer(known.at, at);
    }),
  ),
});

/** Removes customers from before the contact's deletion. */
export const currentCustomers = (all: Customers, { [WHOLE]: deleted }: Watermarks): Customers =>
  deleted ? Object.fromEntries(Object.entries(all).filter(([, { at }]) => !isNewer(deleted, at))) : all;

/** Returns the ids by property: those of the newest webhooks. */
export const shownIds = (all: Customers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all)
      .sort(([refA, a], [refB, b]) => (isNewer(a.at, b.at) ? 1 : isNewer(b.at, a.at) ? -1 : refA < refB ? -1 : 1))
      .map(([ref, { as }]) => [as, ref.slice(ref.indexOf(":") + 1)]),
  );

export const movedCustomers = (all: Customers): Customers =>
  Object.fromEntries(Object.entries(all).map(([ref, one]) => [ref, { ...one, moved: true as const }]));

export const shownCustomers = (all: Customers): Customers =>
  Object.fromEntries(Object.entries(all).map(([ref, { moved: _, ...one }]) => [ref, one]));

/** Separates one customer from the others. */
export const customerOf = (all: Customers, ref: string): { own: Customers; others: Customers } => {
  const { [ref]: one, ...others } = all;
  return { own: one ? { [ref]: one } : {}, others };
};
