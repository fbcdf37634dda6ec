import type { RowValues } from "../../../lib/imports/read-row.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import { contactsByIdentifier, type StoredContact } from "../contacts/contact-rows.ts";
import { changeContact, createContacts, type Identity, type NewContact } from "../contacts/upsert.ts";
import type { Context } from "../core/context.ts";
import { suppressedKeys } from "../sending/suppression.ts";

export const identifiersOf = ({ email, userId }: Identity): string[] => [
  ...(email == null ? [] : [`email ${emailKey(email)}`]),
  ...(userId == null ? [] : [`userId ${userId}`]),
];

/** Reads contacts of a batch by one query. New ones are written together. */
export const peopleOf = (context: Context, rows: readonly RowValues[]) => {
  const { sql } = context;
  const keysOf = (all: readonly Identity[]) => all.flatMap(({ email }) => (email == null ? [] : emailKey(email)));
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  const known = new Map<string, StoredContact>();
  const note = (contact: StoredContact): void => {
    for (const identifier of identifiersOf(contact)) known.set(identifier, contact);
  };
  for (const contact of contactsByIdentifier(sql, { keys: keysOf(rows), userIds })) note(contact);
  const suppressed = new Set(suppressedKeys(sql, keysOf([...rows, ...known.values()])));

  let added: NewContact[] = [];
  const adding = new Set<string>();
  const flush = (): void => {
    for (const contact of createContacts(context, added)) note(contact);
    added = [];
    adding.clear();
  };
  return {
    flush,
    find({ email, userId }: RowValues) {
      if (identifiersOf({ email, userId }).some((identifier) => adding.has(identifier))) flush();
      return {
        byEmail: email === undefined ? undefined : known.get(`email ${emailKey(email)}`),
        byUserId: userId === undefined ? undefined : known.get(`userId ${userId}`),
      };
    },
    add(contact: NewContact): void {
      added.push(contact);
      for (const identifier of identifiersOf(contact)) adding.add(identifier);
    },
    change: (before: StoredContact, after: StoredContact): void => note(changeContact(context, before, after)),
    isSuppressed: (email: string | null | undefined): boolean => email != null && suppressed.has(emailKey(email)),
  };
};

export type People = ReturnType<typeof peopleOf>;
