import type { Contact } from "../types.ts";

/** A reference to a provider's object: its id, or the object itself where the provider expanded it. */
export type Reference = string | { id: string } | null | undefined;

/** The id behind a reference, or undefined. */
export const idOf = (reference: Reference): string | undefined =>
  (typeof reference === "string" ? reference : reference?.id) || undefined;

/**
 * The contact behind a provider's customer id: `{ ref }`, which the Outbox resolves through what other webhooks told it.
 * No customer gives an empty contact, which fails the rule with a message.
 */
export const customer = (reference: Reference): Contact => {
  const ref = idOf(reference);
  return ref ? { ref } : {};
};
