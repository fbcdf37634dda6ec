import type { Contact } from "../../rules/types.ts";
import { chainOf, keysOf, personOf, readRow } from "./rows.ts";

/** All identity keys of a contact, its own and the ones they link to. Re-linking any of them may change the person. */
export const keysAround = (sql: SqlStorage, contact: Contact): string[] => [
  ...new Set(keysOf(contact).flatMap((key) => chainOf(sql, key))),
];

/** The person of a contact, by its surest identifier. Undefined when it has none. */
export const personOfContact = (sql: SqlStorage, contact: Contact): string | undefined => {
  const [surest] = keysOf(contact);
  return surest && personOf(sql, surest);
};

/**
 * The identifiers to send to the host for a contact. A ref resolves to the team's user id where one is linked (people
 * often have another address at a payment provider), else to the address. Undefined while no webhook has linked the ref.
 */
export const resolve = (sql: SqlStorage, contact: Contact): { email?: string; userId?: string } | undefined => {
  if (contact.email || contact.userId) {
    return {
      ...(contact.email ? { email: contact.email } : {}),
      ...(contact.userId ? { userId: contact.userId } : {}),
    };
  }
  const row = contact.ref ? readRow(sql, `ref:${contact.ref}`) : undefined;
  if (!row?.same_as) return undefined;
  const person = personOf(sql, row.same_as);
  if (!person.startsWith("user:")) return { email: row.email ?? person.slice("email:".length) };
  // With the address from the auth provider, so that a host that knows only the address finds the same contact.
  const email = addressOfUser(sql, person);
  return { userId: person.slice("user:".length), ...(email ? { email } : {}) };
};

/** The newest address of a user, unless it now belongs to another user. */
const addressOfUser = (sql: SqlStorage, user: string): string | undefined => {
  const email = readRow(sql, user)?.email;
  return email && personOf(sql, `email:${email.toLowerCase()}`) === user ? email : undefined;
};

/** The address to send mail to: the contact's own, else the one linked to its ref, else the one linked to the user. */
export const addressOf = (sql: SqlStorage, contact: Contact): string | undefined => {
  if (contact.email) return contact.email;
  const linked = contact.ref ? readRow(sql, `ref:${contact.ref}`)?.email : undefined;
  if (linked) return linked;
  const person = personOfContact(sql, contact);
  return person?.startsWith("user:") ? addressOfUser(sql, person) : undefined;
};
