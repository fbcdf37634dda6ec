import { type Identifiers, identifiersOf, resolve } from "../identity/resolve-person.ts";
import { isKnown } from "../identity/watermarks.ts";
import type { Delivery } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import type { NextRequest, ServiceRequest } from "./service-request.ts";

type Found = Record<string, unknown>;

/** The operation takes one identifier. */
export const ask = ({ email, userId }: Identifiers): ServiceRequest => ({
  written: {},
  asks: true,
  send: (api, signal) => api.contacts.find(email === undefined ? { userId } : { email }, { signal }),
});

/** Asks for the contact before a delivery that must not create one. */
export const askFirst = (sql: SqlStorage, delivery: Delivery, contact: Identifiers): ServiceRequest | undefined => {
  const makesNoContact = delivery.removes || (delivery.action === "event" && delivery.onlyKnown);
  if (!makesNoContact || delivery.exists) return undefined;
  const { userId } = resolve(sql, delivery.contact) ?? {};
  const isOfUser = (found: Found) => typeof found.userId === "string" && found.userId === userId;
  const isOfAnother = (found: Found) => typeof found.userId === "string" && !isOfUser(found);
  if (delivery.only === "email") {
    if (delivery.action !== "delete") return undefined;
    return { ...ask(contact), next: whereFound((found) => (isOfAnother(found) ? reasons.ofAnotherUser : undefined)) };
  }
  // Only an unverified account is removed by address without user id.
  if (userId !== undefined && contact.userId === undefined)
    return {
      ...ask(contact),
      next: whereFound((found) => (isOfUser(found) || isBare(found) ? undefined : reasons.notMade)),
    };
  if (delivery.action !== "delete" && !isKnown(sql, delivery.contact))
    return { ...ask(contact), next: whereFound(() => undefined) };
  return undefined;
};

const whereFound =
  (reasonAgainst: (found: Found) => string | undefined): NextRequest =>
  (delivery, found) => {
    const reason = found ? reasonAgainst(found) : delivery.only === "email" ? undefined : reasons.noContact;
    if (reason !== undefined) delivery.message = reason;
    if (!found || reason !== undefined) return undefined;
    delivery.exists = true;
    return "The email service has a contact of this person.";
  };

const OWN: ReadonlySet<string> = new Set([
  "id",
  "email",
  "subscribed",
  "source",
  "optInStatus",
  "createdAt",
  "updatedAt",
]);

const isBare = (found: Found): boolean => {
  const { source = "API", properties, mailingLists, ...rest } = found;
  const others = Object.entries(rest).flatMap(([name, value]) => (OWN.has(name) ? [] : [value]));
  const given = [
    ...others,
    ...Object.values({ ...(properties as object) }),
    ...Object.values({ ...(mailingLists as object) }),
  ];
  return source === "API" && given.every((value) => value === null || value === "" || value === false);
};

/** Repeats a removal with the address, if the person must be removed under it too. */
export const nextOf = (sql: SqlStorage, delivery: Delivery, occurredAt: number): NextRequest | undefined => {
  const { only: _, ...whole } = delivery;
  if (identifiersOf(sql, whole, occurredAt)?.email === undefined) return undefined;
  return (sent) => {
    sent.only = "email";
    delete sent.exists;
    return "The delivery is sent once more with the address.";
  };
};
