import type { Contact } from "../types.ts";

/** A reference to a provider's object: its id, or the expanded object. */
export type Reference = string | { id: string } | null | undefined;

/** The id behind a reference, or undefined. */
export const idOf = (reference: Reference): string | undefined =>
  (typeof reference === "string" ? reference : reference?.id) || undefined;

/**
 * The contact of a provider's customer: `{ ref }`, which the Outbox resolves with identity links from other webhooks.
 * Without a customer the contact is empty, and the rule fails with a message.
 */
export const customer = (reference: Reference): Contact => {
  const ref = idOf(reference);
  return ref ? { ref } : {};
};

/** True where a contact has an identifier. A rule without one fails, so its condition asks where it may be missing. */
export const isKnown = ({ email, userId, ref }: Contact): boolean => Boolean(email || userId || ref);
