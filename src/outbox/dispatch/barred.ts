import { addressOf, type Identifiers } from "../identity/resolve-person.ts";
import type { DispatchConfig } from "../model/config.ts";
import type { Delivery } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { barredBy } from "../model/recipients.ts";
import type { FinalState } from "./service-request.ts";

/** A mail may wait longer than the update beside it, and the person get another address. A retry by hand is sent. */
const wasIgnored = (deliveries: readonly Delivery[], { contact, acts, ...mail }: Delivery): boolean =>
  mail.action === "transactional" &&
  !mail.urgent &&
  acts === undefined &&
  deliveries.some(
    (one) =>
      one.state === "skipped" &&
      one.message === reasons.ignored &&
      JSON.stringify(one.contact) === JSON.stringify(contact),
  );

/** Returns the reason against the address of the request. Undefined for a mail without a known address. */
export const barred = (
  sql: SqlStorage,
  config: DispatchConfig,
  delivery: Delivery,
  contact: Identifiers,
  beside: readonly Delivery[] = [],
): FinalState | undefined => {
  if (config.allowed.length + config.ignored.length === 0) return undefined;
  const isMail = delivery.action === "transactional";
  const address = (isMail ? undefined : contact.email) ?? addressOf(sql, delivery.contact);
  if (isMail && address === undefined) return undefined;
  const message = barredBy(config, delivery, address) ?? (wasIgnored(beside, delivery) ? reasons.ignored : undefined);
  return message === undefined ? undefined : { state: "skipped", message };
};
