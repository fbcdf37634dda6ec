import type { Contact } from "../types.ts";

/** A provider object's id, or the expanded object. */
export type Reference = string | { id: string } | null | undefined;

export const idOf = (reference: Reference): string | undefined =>
  (typeof reference === "string" ? reference : reference?.id) || undefined;

/** Returns a customer's `{ ref }`. Empty without a customer, so the rule fails. */
export const customer = (reference: Reference): Contact => {
  const ref = idOf(reference);
  return ref ? { ref } : {};
};

/** True if a contact has an identifier. A rule without one fails. */
export const isKnown = ({ email, userId, ref }: Contact): boolean => Boolean(email || userId || ref);
