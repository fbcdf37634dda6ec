import { addressOf, type Identifiers } from "../identity/resolve-person.ts";
import type { DispatchConfig } from "../model/config.ts";
import type { Delivery } from "../model/journal-types.ts";
import { barredBy } from "../model/recipients.ts";
import type { FinalState } from "./service-request.ts";

/** Returns the reason against the address of the request. Undefined for a mail without a known address. */
export const barred = (
  sql: SqlStorage,
  config: DispatchConfig,
  delivery: Delivery,
  contact: Identifiers,
): FinalState | undefined => {
  if (config.allowed.length + config.ignored.length === 0) return undefined;
  const isMail = delivery.action === "transactional";
  const address = (isMail ? undefined : contact.email) ?? addressOf(sql, delivery.contact);
  if (isMail && address === undefined) return undefined;
  const message = barredBy(config, delivery, address);
  return message === undefined ? undefined : { state: "skipped", message };
};
