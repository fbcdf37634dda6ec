import { contactFieldNames, nameFields } from "../../lib/contract/contact-fields.ts";
import { addressOf } from "../identity/resolve.ts";
import { personOf } from "../identity/rows.ts";
import { current, readKnown, shownProperties } from "../identity/subscriptions.ts";
import { GONE, type Watermarks } from "../identity/watermarks.ts";
import type { WebhookCalls } from "../journal/rows.ts";
import type { DeliveryConfig } from "../model/config.ts";
import { reasons } from "../model/reasons.ts";
import type { Call, FormerValues } from "../model/types.ts";
import { listKey } from "./build-request.ts";
import { inDialect } from "./dialect.ts";
import type { FinalState, HostRequest } from "./host-request.ts";
import { ask } from "./removal.ts";

/** Builds the next request of a move. The API cannot merge two contacts. */
export const moveRequest = (
  sql: SqlStorage,
  config: DeliveryConfig,
  { occurredAt }: WebhookCalls,
  { contact: { userId = "" }, former, tries = 0 }: Call & { former: NonNullable<Call["former"]> },
): HostRequest | FinalState => {
  const { email, marks, found, own, isOnly, moved, checked } = former;
  const owner = personOf(sql, `email:${email.toLowerCase()}`);
  if (owner.startsWith("user:") && owner !== personOf(sql, `user:${userId}`))
    return { state: "skipped", message: reasons.notFormerAddress };
  if (!found) return { ...ask({ email }), next: keepFound };
  if (!own) return { ...ask({ userId }), next: keepOwn };
  const { watermarks, subscriptions } = readKnown(sql, personOf(sql, `user:${userId}`));
  const { properties, mailingLists } = newest(found, { marks, own }, watermarks, config);
  Object.assign(properties, shownProperties(current(subscriptions, watermarks)));
  // A webhook older than the account's deletion must not subscribe the person again.
  if ((watermarks[GONE]?.[0] ?? 0) > occurredAt) properties.subscribed = false;
  if (moved || (!isOnly && Object.keys(properties).length + Object.keys(mailingLists).length === 0)) {
    // Hours may have passed, and a deletion with unknown outcome may have succeeded.
    if (checked !== tries) return { ...ask({ email }), next: check };
    return { written: {}, deletes: true, send: (api, signal) => api.contacts.delete({ email }, { signal }), next: end };
  }
  // A contact created by this update needs the address, or the user gets no mail.
  const address = isOnly ? { email: addressOf(sql, { userId }) } : {};
  const body = { userId, ...address, ...inDialect(properties, config.contactProperties), mailingLists };
  return { written: {}, send: (api, signal) => api.contacts.update(body, { signal }), next: noteMoved };
};

const keepFound = (call: Call, found: Record<string, unknown> | undefined): string | undefined => {
  // A contact with another user id is another person.
  if (!found || !call.former || typeof found.userId === "string") {
    call.message = reasons.noFormerContact;
    return end(call);
  }
  call.former.found = valuesOf(found);
  call.former.id = String(found.id);
  return "The host has a contact with a former address of this user. The user gets its values.";
};

const keepOwn = (call: Call, found: Record<string, unknown> | undefined): string => {
  const { properties, mailingLists } = found ? valuesOf(found) : { properties: {}, mailingLists: {} };
  if (call.former) call.former.own = [...Object.keys(properties), ...Object.keys(mailingLists)];
  if (call.former && !found) call.former.isOnly = true;
  return "The host has said which values the user has.";
};

const noteMoved = (call: Call): string => {
  if (call.former) call.former.moved = true;
  return "The user has the values now. The host is asked for the contact with the former address once more.";
};

/** Allows only the next attempt to delete the contact. */
const check = (call: Call, found: Record<string, unknown> | undefined): string | undefined => {
  if (!found || !call.former || typeof found.userId === "string" || String(found.id) !== call.former.id) {
    call.message = reasons.noFormerContact;
    return end(call);
  }
  call.former.checked = call.tries ?? 0;
  return "The host has the contact with the former address. It is deleted.";
};

const end = (call: Call): undefined => {
  delete call.former;
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
  { marks, own }: { marks: NonNullable<Call["former"]>["marks"]; own: readonly string[] },
  watermarks: Watermarks,
  { lists }: DeliveryConfig,
): FormerValues => {
  const isNewest = (name: string) =>
    marks[name] !== undefined && JSON.stringify(watermarks[name]) === JSON.stringify(marks[name]);
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
