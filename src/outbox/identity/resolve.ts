import type { Contact } from "../../rules/types.ts";
import type { Call } from "../model/types.ts";
import { chainOf, keysOf, personOf, readRow } from "./rows.ts";
import { isKnown, readWatermarks, TIE } from "./watermarks.ts";

/**
 * The person of a contact, by its surest identifier, and all identity keys of the contact: its own and the ones they link
 * to. Re-linking any of them may change the person.
 */
export const personAround = (sql: SqlStorage, contact: Contact): { person: string | undefined; keys: string[] } => {
  const chains = keysOf(contact).map((key) => chainOf(sql, key));
  return { person: chains[0]?.at(-1), keys: [...new Set(chains.flat())] };
};

/** False for a contact with nothing but a ref that no webhook has linked. */
export const isResolved = (sql: SqlStorage, contact: Contact): boolean =>
  Boolean(contact.email || contact.userId) || resolve(sql, contact) !== undefined;

/** The person of a contact, by its surest identifier. Undefined when it has none. */
export const personOfContact = (sql: SqlStorage, contact: Contact): string | undefined => {
  const [surest] = keysOf(contact);
  return surest && personOf(sql, surest);
};

/** What decides which identifiers a call is sent with. */
type Addressed = Pick<Call, "contact" | "waitsForTie" | "removes" | "only">;

/** The identifiers of a contact at the host. */
export type Identifiers = { email?: string; userId?: string };

/**
 * The identifiers to send to the host for a call. Undefined while no webhook has linked its ref.
 *
 * @param occurredAt when the webhook of the call happened, Unix ms. An address that a newer webhook has replaced is not sent
 */
export const identifiersOf = (sql: SqlStorage, call: Addressed, occurredAt: number): Identifiers | undefined => {
  const known = resolve(sql, call.contact);
  if (!known) return undefined;
  const { email, userId } = known;
  if (userId === undefined) return known;
  const unverified = call.removes && email === undefined ? unverifiedAddress(sql, userId) : undefined;
  if (unverified !== undefined) return { email: unverified };
  if (call.only === "userId") return { userId };
  // The host has the newer address already.
  const tied = email === undefined ? undefined : readWatermarks(sql, `user:${userId}`)[TIE];
  const isOld = tied !== undefined && tied[0] > occurredAt;
  // A host that knows only the address finds the same contact. A removal changes no address.
  const newest = isOld || call.waitsForTie || call.removes ? addressOfUser(sql, `user:${userId}`) : undefined;
  const address = isOld ? newest : (newest ?? email);
  if (call.only === "email" && address !== undefined) return { email: address };
  return { userId, ...(address === undefined ? {} : { email: address }) };
};

/**
 * The identifiers of a contact at the host, without the state of a call. A ref resolves to the team's user id where one is
 * linked (people often have another address at a payment provider), else to the address. Undefined while no webhook has
 * linked the ref.
 */
export const resolve = (sql: SqlStorage, contact: Contact): Identifiers | undefined => {
  if (contact.email || contact.userId) {
    const owner = contact.userId ? undefined : ownerOfFormer(sql, contact.email ?? "");
    if (owner) return owner;
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

/** The user whose former address this is, with the newest address; else undefined. The host knows the newest one only. */
const ownerOfFormer = (sql: SqlStorage, email: string): Identifiers | undefined => {
  const person = personOf(sql, `email:${email.toLowerCase()}`);
  const newest = person.startsWith("user:") ? addressOfUser(sql, person) : undefined;
  if (newest === undefined || newest.toLowerCase() === email.toLowerCase()) return undefined;
  return { userId: person.slice("user:".length), email: newest };
};

/**
 * The address of an unverified account, for its deletion. Undefined if the address belongs to another user, or if other
 * webhooks have written values for it: anyone can sign up with the address of another person.
 */
const unverifiedAddress = (sql: SqlStorage, userId: string): string | undefined => {
  const row = readRow(sql, `user:${userId}`);
  if (row?.email == null || row.strength >= 0) return undefined;
  return isKnown(sql, { email: row.email }) ? undefined : row.email;
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
