import type { ContactIdentity, ReportedList } from "../../../lib/webhook/outgoing-events.ts";
import { emit } from "../webhooks/emit.ts";
import { readMailingList } from "./lists.ts";
import type { StoredContact } from "./row.ts";

type Clock = { sql: SqlStorage; now: number };

const identityOf = ({ id, email, userId }: StoredContact): ContactIdentity => ({ id, email: email ?? "", userId });

/** Reports a new contact, and the mailing lists that it has joined. */
export const reportCreated = (clock: Clock, contact: StoredContact): void => {
  emit(clock, "contact.created", () => {
    const { properties, ...standard } = contact.data;
    const contactIdentity = identityOf(contact);
    return { contactIdentity, contact: { ...properties, ...contactIdentity, ...standard } };
  });
  reportLists(clock, contact, {});
};

/** Reports what a contact has left and joined. No published event is about its other changes. */
export const reportChanges = (clock: Clock, before: StoredContact, after: StoredContact): void => {
  if (before.data.subscribed && !after.data.subscribed) {
    emit(clock, "contact.unsubscribed", { contactIdentity: identityOf(after) });
  }
  reportLists(clock, after, before.data.mailingLists);
};

export const reportDeleted = (clock: Clock, contact: StoredContact): void =>
  emit(clock, "contact.deleted", { contactIdentity: identityOf(contact) });

/** Reports the difference between the mailing lists before and now. */
const reportLists = (clock: Clock, contact: StoredContact, before: StoredContact["data"]["mailingLists"]): void => {
  const { mailingLists: after } = contact.data;
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (Object.hasOwn(before, id) === Object.hasOwn(after, id)) continue;
    const type = Object.hasOwn(after, id) ? "contact.mailingList.subscribed" : "contact.mailingList.unsubscribed";
    emit(clock, type, () => {
      const mailingList = reportedList(clock.sql, id);
      return mailingList && { contactIdentity: identityOf(contact), mailingList };
    });
  }
};

const reportedList = (sql: SqlStorage, listId: string): ReportedList | undefined => {
  const list = readMailingList(sql, listId);
  return list && { id: list.id, name: list.name, description: list.description, isPublic: list.isPublic };
};
