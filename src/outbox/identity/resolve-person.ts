import type { Contact } from "../../rules/types.ts";
import type { Delivery } from "../model/journal-types.ts";
import { chainOf, isRef, keysOf, personOf, REF, type RowSource, readRow } from "./identity-rows.ts";
import { isKnown, readWatermarks, toldAt } from "./watermarks.ts";

/** Returns the person and all keys that may change it. */
export const personAround = (from: RowSource, contact: Contact): { person: string | undefined; keys: string[] } => {
  const chains = keysOf(contact).map((key) => chainOf(from, key));
  return { person: chains[0]?.at(-1), keys: [...new Set(chains.flat())] };
};

/** Returns false if the contact has only an unlinked ref. */
export const isResolved = (from: RowSource, contact: Contact): boolean =>
  Boolean(contact.email || contact.userId) || resolve(from, contact) !== undefined;

/** Returns the person by the most reliable identifier. */
export const personOfContact = (from: RowSource, contact: Contact): string | undefined => {
  const [surest] = keysOf(contact);
  return surest && personOf(from, surest);
};

type Addressed = Pick<Delivery, "contact" | "waitsForTie" | "removes" | "only">;

export type Identifiers = { email?: string; userId?: string };

/**
 * Returns the identifiers to send; undefined while the ref is unlinked.
 *
 * @param occurredAt webhook time, Unix ms
 */
export const identifiersOf = (sql: SqlStorage, delivery: Addressed, occurredAt: number): Identifiers | undefined => {
  const known = resolve(sql, delivery.contact);
  if (!known) return undefined;
  const { email, userId } = known;
  if (userId === undefined) return known;
  const unverified = delivery.removes && email === undefined ? unverifiedAddress(sql, userId) : undefined;
  if (unverified !== undefined) return { email: unverified };
  if (delivery.only === "userId") return { userId };
  // The email service already has the newer address.
  const told = email === undefined ? undefined : toldAt(readWatermarks(sql, `user:${userId}`));
  const isOld =
    (told !== undefined && told > occurredAt) || (email !== undefined && isTaken(sql, { userId, email }, occurredAt));
  // A removal changes no address.
  const newest = isOld || delivery.waitsForTie || delivery.removes ? addressOfUser(sql, `user:${userId}`) : undefined;
  const address = isOld ? newest : (newest ?? email);
  if (delivery.only === "email" && address !== undefined) return { email: address };
  return { userId, ...(address === undefined ? {} : { email: address }) };
};

/** True if a newer webhook has given the address to another user. */
const isTaken = (sql: SqlStorage, { userId, email }: Required<Identifiers>, occurredAt: number): boolean => {
  const row = readRow(sql, `email:${email.toLowerCase()}`);
  const isOfAnother = row?.next_key?.startsWith("user:") && row.next_key !== `user:${userId}`;
  return Boolean(isOfAnother) && (row?.learned_at ?? 0) > occurredAt;
};

/** Resolves a contact to user id, else address: addresses at payment providers often differ. */
export const resolve = (from: RowSource, contact: Contact): Identifiers | undefined => {
  if (contact.email || contact.userId) {
    const owner = contact.userId ? undefined : ownerOfFormer(from, contact.email ?? "");
    if (owner) return owner;
    return {
      ...(contact.email ? { email: contact.email } : {}),
      ...(contact.userId ? { userId: contact.userId } : {}),
    };
  }
  const linked = contact.ref ? linkedKeys(from, contact.ref) : undefined;
  if (!linked) return undefined;
  const { person } = linked;
  if (!person.startsWith("user:")) return { email: linked.email ?? person.slice("email:".length) };
  const email = addressOfUser(from, person);
  return { userId: person.slice("user:".length), ...(email ? { email } : {}) };
};

/** Returns the person that a ref leads to, and the address in the last of its links. */
const linkedKeys = (from: RowSource, ref: string): { person: string; email: string | null | undefined } | undefined => {
  const chain = chainOf(from, REF + ref);
  const person = chain.at(-1) ?? "";
  if (isRef(person)) return undefined;
  const above = chain.find((key) => !isRef(key));
  const emails = chain.filter(isRef).map((key) => readRow(from, key)?.email);
  const email = emails.findLast((address) => address && `email:${address.toLowerCase()}` === above);
  return { person, email };
};

/** The email service knows only the newest address. */
const ownerOfFormer = (from: RowSource, email: string): Identifiers | undefined => {
  const person = personOf(from, `email:${email.toLowerCase()}`);
  const newest = person.startsWith("user:") ? addressOfUser(from, person) : undefined;
  if (newest === undefined || newest.toLowerCase() === email.toLowerCase()) return undefined;
  return { userId: person.slice("user:".length), email: newest };
};

/** Undefined if others use the address: anyone can sign up with another person's address. */
const unverifiedAddress = (sql: SqlStorage, userId: string): string | undefined => {
  const row = readRow(sql, `user:${userId}`);
  if (row?.email == null || row.strength >= 0) return undefined;
  return isKnown(sql, { email: row.email }) ? undefined : row.email;
};

const addressOfUser = (from: RowSource, user: string): string | undefined => {
  const email = readRow(from, user)?.email;
  return email && personOf(from, `email:${email.toLowerCase()}`) === user ? email : undefined;
};

/** When the newest webhook gave this address to this user, Unix ms; 0 if it is no longer the newest one. */
export const learnedAt = (
  from: RowSource,
  { userId, email }: { userId?: string | undefined; email?: string | undefined },
): number => {
  const row = userId === undefined ? undefined : readRow(from, `user:${userId}`);
  return row && row.email?.toLowerCase() === email?.toLowerCase() ? row.learned_at : 0;
};

/** Returns the mail address: the contact's, else the ref's, else the user's. */
export const addressOf = (from: RowSource, contact: Contact): string | undefined => {
  if (contact.email) return contact.email;
  const linked = contact.ref ? linkedKeys(from, contact.ref)?.email : undefined;
  if (linked) return linked;
  const person = personOfContact(from, contact);
  return person?.startsWith("user:") ? addressOfUser(from, person) : undefined;
};
