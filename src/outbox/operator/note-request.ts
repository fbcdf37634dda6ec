import { personOfContact } from "../identity/resolve-person.ts";
import { noteLate } from "../identity/watermarks.ts";
import type { Delivery, DeliveryRef } from "../model/journal-types.ts";

/** Records that a stopped delivery's request may arrive after the contact's deletion. */
export const noteRequest = (sql: SqlStorage, ref: DeliveryRef, delivery: Delivery, now: number): void => {
  const last = delivery.attempts.at(-1);
  if (delivery.unknownSince === undefined || delivery.state === "done" || !last) return;
  const person = personOfContact(sql, delivery.contact);
  if (person !== undefined) noteLate(sql, person, ref, last.at, now);
};
