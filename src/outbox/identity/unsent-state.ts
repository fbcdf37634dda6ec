import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import { waitingSince } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import { plannedCustomers } from "./customers.ts";
import { restatements } from "./restated.ts";
import { saveState } from "./state.ts";
import { plannedSubscriptions } from "./subscriptions.ts";
import type { Watermarks } from "./watermarks.ts";

type Update = Delivery & { action: "contact" };

export const hasState = ({ subscription, customer }: Update): boolean => (subscription ?? customer) !== undefined;

/** Stores the state of an update without an answer. The caller saves the webhook, which may get deliveries. */
export const storeState = (
  sql: SqlStorage,
  { source, eventId, occurredAt, rank, deliveries }: WebhookDeliveries,
  delivery: Update,
  person: string,
  written: Watermarks,
  now: number,
): void => {
  if (!hasState(delivery)) return;
  const at = [occurredAt, rank] as const;
  const said = { subscriptions: plannedSubscriptions(delivery, at), customers: plannedCustomers(delivery, at) };
  const restated = saveState(sql, person, { written, ...said }, now);
  deliveries.push(...restatements(restated, [source, eventId, deliveries.length]).map((one) => waitingSince(one, now)));
};
