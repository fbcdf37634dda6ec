import type { ContactIdentity, ReportedList } from "../../../lib/contract/outgoing-events.ts";
import { emit, emitEach } from "../webhooks/emit.ts";
import { eraseEventsOf, moveEvents } from "../webhooks/erase.ts";
import type { ContactData, StoredContact } from "./contact-rows.ts";
import { readMailingList } from "./lists.ts";

type Clock = { sql: SqlStorage; now: number };

const identityOf = ({ id, email, userId }: StoredContact): ContactIdentity => ({ id, email: email ?? "", userId });

export const reportCreated = (clock: Clock, contacts: readonly StoredContact[]): void => {
  emitEach(clock, "contact.created", contacts, (contact) => {
    const { properties, ...standard } = contact.data;
    const contactIdentity = identityOf(contact);
    return { contactIdentity, contact: { ...properties, ...contactIdentity, ...standard } };
  });
  const joined = contacts.flatMap((contact) => Object.keys(listsOf(contact)).map((id) => ({ contact, id })));
  emitEach(clock, "contact.mailingList.subscribed", joined, ({ contact, id }) => listEvent(clock, contact, id));
};

export const reportChanges = (clock: Clock, before: StoredContact, after: StoredContact): void => {
  if (before.data.subscribed && !after.data.subscribed) {
    emit(clock, "contact.unsubscribed", { contactIdentity: identityOf(after) });
  }
  reportLists(clock, after, listsOf(before));
};

export const reportDeleted = (clock: Clock, contact: StoredContact): void => {
  const contactIdentity = identityOf(contact);
  eraseEventsOf(clock.sql, contact.id);
  emit(clock, "contact.deleted", { contactIdentity });
  if (contact.data.subscribed) emit(clock, "contact.unsubscribed", { contactIdentity });
};

const idOf = ({ id }: StoredContact) => ({ contactIdentity: { id, email: "", userId: null } });

export const reportMerged = (clock: Clock, kept: StoredContact, dropped: StoredContact): void => {
  moveEvents(clock.sql, dropped.id, kept.id);
  emit(clock, "contact.deleted", idOf(dropped));
};

export const reportErased = (clock: Clock, contact: StoredContact): void => {
  eraseEventsOf(clock.sql, contact.id);
  emit(clock, "contact.deleted", idOf(contact));
};

const listsOf = ({ data: { mailingLists, optInStatus } }: StoredContact): ContactData["mailingLists"] =>
  optInStatus === "pending" || optInStatus === "rejected" ? {} : mailingLists;

const reportLists = (clock: Clock, contact: StoredContact, before: ContactData["mailingLists"]): void => {
  const after = listsOf(contact);
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (Object.hasOwn(before, id) === Object.hasOwn(after, id)) continue;
    const type = Object.hasOwn(after, id) ? "contact.mailingList.subscribed" : "contact.mailingList.unsubscribed";
    emit(clock, type, () => listEvent(clock, contact, id));
  }
};

const listEvent = ({ sql }: Clock, contact: StoredContact, id: string) => {
  const mailingList = reportedList(sql, id);
  return mailingList && { contactIdentity: identityOf(contact), mailingList };
};

/** Mailing list as events show it; undefined if unknown. */
export const reportedList = (sql: SqlStorage, listId: string): ReportedList | undefined => {
  const list = readMailingList(sql, listId);
  return list && { id: list.id, name: list.name, description: list.description, isPublic: list.isPublic };
};
