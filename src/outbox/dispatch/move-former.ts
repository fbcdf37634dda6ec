import { contactFieldNames, nameFields } from "../../lib/contract/contact-fields.ts";
import { HOUR_MS } from "../../lib/util/dates.ts";
import { personOf } from "../identity/identity-rows.ts";
import { addressOf, type Identifiers, learnedAt } from "../identity/resolve-person.ts";
import { current, readKnown, shownProperties } from "../identity/subscriptions.ts";
import { GONE, tieOf, type Watermark, type Watermarks } from "../identity/watermarks.ts";
import type { WebhookDeliveries } from "../journal/journal-rows.ts";
import type { DispatchConfig } from "../model/config.ts";
import { IDENTITY_WAIT } from "../model/delivery-deadlines.ts";
import { FORMER, waitingSince } from "../model/delivery-state.ts";
import type { Delivery, FormerValues } from "../model/journal-types.ts";
import { reasons } from "../model/reasons.ts";
import { barred } from "./barred.ts";
import { listKey } from "./build-request.ts";
import { inDialect } from "./dialect.ts";
import { type Downtime, downtimeBetween } from "./limits/downtime.ts";
import { ask } from "./removal.ts";
import type { FinalState, NextRequest, ServiceRequest } from "./service-request.ts";

/** Builds the next request of a move. The API cannot merge two contacts. */
export const moveRequest = (
  sql: SqlStorage,
  config: DispatchConfig,
  { occurredAt, rank }: WebhookDeliveries,
  delivery: Moving,
): ServiceRequest | FinalState => {
  const {
    contact: { userId = "" },
    former,
    attemptCount = 0,
  } = delivery;
  const bar = barred(sql, config, delivery, { userId });
  if (bar) return bar;
  const { email, watermarks: earlier, found, own, isOnly, moved, checked } = former;
  if (former.free) return takeAddress(sql, userId, [occurredAt, rank]);
  const owner = personOf(sql, `email:${email.toLowerCase()}`);
  if (owner.startsWith("user:") && owner !== personOf(sql, `user:${userId}`))
    return { state: "skipped", message: reasons.notFormerAddress };
  if (former.waits && addressOf(sql, { userId })?.toLowerCase() !== email.toLowerCase())
    return { state: "replaced", message: reasons.otherAddress };
  if (!found) return { ...ask({ email }), next: keepFound };
  if (!own) return { ...ask({ userId }), next: keepOwn };
  const { watermarks, subscriptions } = readKnown(sql, personOf(sql, `user:${userId}`));
  const { properties, mailingLists } = newest(found, { earlier, own }, watermarks, config);
  Object.assign(properties, shownProperties(current(subscriptions, watermarks)));
  // A webhook older than the account's deletion must not subscribe the person again.
  if ((watermarks[GONE]?.[0] ?? 0) > occurredAt) properties.subscribed = false;
  if (moved || (!isOnly && Object.keys(properties).length + Object.keys(mailingLists).length === 0)) {
    // Hours may have passed, and a deletion with unknown outcome may have succeeded.
    if (checked !== attemptCount) return { ...ask({ email }), next: check };
    return {
      written: {},
      deletes: true,
      send: (api, signal) => api.contacts.delete({ email }, { signal }),
      next: noteFree,
    };
  }
  // A contact created by this update needs the address, or the user gets no mail.
  const address = isOnly ? { email: addressOf(sql, { userId }) } : {};
  const body = { userId, ...address, ...inDialect(properties, config.contactProperties), mailingLists };
  return { written: {}, send: (api, signal) => api.contacts.update(body, { signal }), next: noteMoved };
};

/** The address may have changed once more since the conflict, so its time is that of the link. */
const takeAddress = (sql: SqlStorage, userId: string, [occurredAt, rank]: Watermark): ServiceRequest => {
  const body = { userId, email: addressOf(sql, { userId }) };
  const written = tieOf([occurredAt, rank], learnedAt(sql, body));
  return { written, person: `user:${userId}`, send: (api, signal) => api.contacts.update(body, { signal }), next: end };
};

/**
 * Makes one contact of two after a conflict; undefined unless links say that the address is the user's.
 *
 * @param to the identifiers that the email service refused
 */
export const mergerAfter = (
  sql: SqlStorage,
  { source, eventId, deliveries }: WebhookDeliveries,
  { userId, email }: Identifiers,
  now: number,
): Delivery | undefined => {
  if (userId === undefined || email === undefined) return undefined;
  const isTheirs = personOf(sql, `email:${email.toLowerCase()}`) === personOf(sql, `user:${userId}`);
  if (!isTheirs || deliveries.some(({ former }) => former?.email === email)) return undefined;
  const planned = { rule: FORMER, action: "contact" as const, contact: { userId }, properties: {} };
  const key = JSON.stringify([source, eventId, FORMER, "taken", deliveries.length]);
  return { ...waitingSince({ ...planned, key }, now), former: { email, watermarks: {}, takes: true } };
};

const keepFound: NextRequest = (delivery, found, now) => {
  if (delivery.former?.takes && !found) return noteFree(delivery);
  if (isOfAnother(delivery, found)) return awaitAddress(delivery.former, now);
  // A contact with another user id is another person.
  if (!found || !delivery.former || typeof found.userId === "string") {
    delivery.message = reasons.noFormerContact;
    return end(delivery);
  }
  delete delivery.former.waits;
  delivery.former.found = valuesOf(found);
  delivery.former.id = String(found.id);
  return "The email service has a contact with a former address of this user. The user gets its values.";
};

type Moving = Delivery & { former: NonNullable<Delivery["former"]> };

/** True if another user's contact has an address that the user got. */
const isOfAnother = (delivery: Delivery, found: Record<string, unknown> | undefined): delivery is Moving =>
  delivery.former?.takes === true && typeof found?.userId === "string" && found.userId !== delivery.contact.userId;

/** Milliseconds. */
const FIRST_ASK = 5_000;

/** Asks again after as long as it has waited, at most an hour. */
const awaitAddress = (former: Moving["former"], now: number): string => {
  const { since } = former.waits ?? { since: now };
  former.waits = { since, until: now + Math.min(HOUR_MS, Math.max(FIRST_ASK, now - since)) };
  return reasons.ofAnother;
};

/** Returns the end of a wait for an address that another user keeps. */
export const keptTooLong = ({ former }: Delivery, downtime: Downtime, now: number): FinalState | undefined => {
  const { since } = former?.waits ?? {};
  if (since === undefined || now < since + IDENTITY_WAIT + downtimeBetween(downtime, since, now)) return undefined;
  return { state: "failed", message: reasons.keptByAnother };
};

/** Starts again, because another contact got the address at the last moment. */
export const startAgain = (former: Moving["former"], now: number): string => {
  delete former.free;
  return awaitAddress(former, now);
};

const keepOwn = (delivery: Delivery, found: Record<string, unknown> | undefined): string => {
  const { properties, mailingLists } = found ? valuesOf(found) : { properties: {}, mailingLists: {} };
  if (delivery.former) delivery.former.own = [...Object.keys(properties), ...Object.keys(mailingLists)];
  if (delivery.former && !found) delivery.former.isOnly = true;
  return "The email service has said which values the user has.";
};

const noteMoved = (delivery: Delivery): string => {
  if (delivery.former) delivery.former.moved = true;
  return "The user has the values now. The email service is asked for the contact with the former address once more.";
};

/** Allows only the next attempt to delete the contact. */
const check: NextRequest = (delivery, found, now) => {
  // A deletion without an answer may have arrived.
  if (!found && delivery.former?.takes) return noteFree(delivery);
  if (isOfAnother(delivery, found)) return awaitAddress(delivery.former, now);
  if (!found || !delivery.former || typeof found.userId === "string" || String(found.id) !== delivery.former.id) {
    delivery.message = reasons.noFormerContact;
    return end(delivery);
  }
  delivery.former.checked = delivery.attemptCount ?? 0;
  return "The email service has the contact with the former address. It is deleted.";
};

const noteFree = (delivery: Delivery): string | undefined => {
  if (!delivery.former?.takes) return end(delivery);
  delivery.former.free = true;
  delete delivery.former.waits;
  return "The address is free. The contact of the user gets it.";
};

const end = (delivery: Delivery): undefined => {
  delete delivery.former;
};

/** Custom properties may be at top level, under `properties`, or both. */
const valuesOf = ({ properties, mailingLists, ...rest }: Record<string, unknown>): FormerValues => {
  const all = Object.entries({ ...rest, ...(properties as object | undefined) });
  const own = all.filter(([name, value]) => isMoved(name) && value !== null && typeof value !== "object");
  return {
    properties: {
      ...(Object.fromEntries(own) as FormerValues["properties"]),
      ...(rest.subscribed === false ? { subscribed: false } : {}),
    },
    mailingLists: { ...(mailingLists as FormerValues["mailingLists"] | undefined) },
  };
};

const isMoved = (name: string): boolean =>
  (nameFields as readonly string[]).includes(name) || !(contactFieldNames as readonly string[]).includes(name);

const newest = (
  found: FormerValues,
  { earlier, own }: { earlier: NonNullable<Delivery["former"]>["watermarks"]; own: readonly string[] },
  watermarks: Watermarks,
  { lists }: DispatchConfig,
): FormerValues => {
  const isNewest = (name: string) =>
    earlier[name] !== undefined && JSON.stringify(watermarks[name]) === JSON.stringify(earlier[name]);
  const nameOf = new Map(Object.entries(lists).map(([name, id]) => [id, name]));
  return {
    properties: Object.fromEntries(
      Object.entries(found.properties).filter(
        ([name]) => name === "subscribed" || !own.includes(name) || isNewest(name),
      ),
    ),
    mailingLists: Object.fromEntries(
      Object.entries(found.mailingLists).filter(([id]) => !own.includes(id) || isNewest(listKey(nameOf.get(id) ?? id))),
    ),
  };
};
