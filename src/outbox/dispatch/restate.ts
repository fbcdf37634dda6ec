import { currentCustomers, shownCustomers, shownIds } from "../identity/customers.ts";
import { bestOf, current, hasMoved, type Known, shown, shownProperties } from "../identity/subscriptions.ts";
import type { Delivery } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import type { FinalState, NextRequest, ServiceRequest } from "./service-request.ts";

type Stated = Pick<ServiceRequest, "subscriptions" | "customers" | "shows"> & {
  properties: Record<string, string | number | boolean | null>;
};

/** Returns what a contact shows of the customers that it has; undefined if another update has shown it. */
export const statedBy = (
  delivery: Delivery & { action: "contact" },
  { subscriptions, customers, watermarks }: Known,
): Stated | undefined => {
  const all = current(subscriptions, watermarks);
  const everyone = currentCustomers(customers, watermarks);
  if (!isLeft(delivery) && !hasMoved(all) && !hasMoved(everyone)) return undefined;
  return {
    properties: { ...delivery.properties, ...shownProperties(all), ...shownIds(everyone) },
    subscriptions: shown(all),
    customers: shownCustomers(everyone),
    shows: bestOf(all),
  };
};

export const SHOWN: FinalState = { state: "replaced", message: reasons.alreadyShown };

/** True for the contact that a customer left. The delivery must not make it again. */
export const isLeft = (delivery: Delivery & { action: "contact" }): boolean =>
  delivery.restates === true && Object.keys(delivery.properties).length > 0;

export const whereLeft: NextRequest = (delivery, found) => {
  if (!found) {
    delivery.message = reasons.noLeftContact;
    return undefined;
  }
  delivery.exists = true;
  return "The email service has the contact that the customer left.";
};
