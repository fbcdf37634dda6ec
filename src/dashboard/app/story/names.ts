import type { Subject } from "./subject.ts";

/** What the v1 API can find a contact by. */
export type Named = { email: string } | { userId: string };

type Identifier = { kind: "email" | "userId" | "ref"; value: string; toldAt: string | null };

/** Most identifiers that are tried: a person with more has changed the address that often. */
const MOST = 10;

/**
 * The addresses and user ids that webhooks told about a person, beside the one that is named already. A contact has the newest address or
 * one of before: the newest come first, and addresses before user ids, which not every contact has.
 */
export const otherNames = (
  subject: Subject,
  known: { identifiers: readonly Identifier[] } | null | undefined,
): Named[] => {
  const named = Object.values(subject)[0]?.toLowerCase();
  const newest = (known?.identifiers ?? [])
    .filter(({ kind, value }) => kind !== "ref" && value.toLowerCase() !== named)
    .toSorted((a, b) => (b.toldAt ?? "").localeCompare(a.toldAt ?? ""));
  return [
    ...newest.flatMap(({ kind, value }) => (kind === "email" ? [{ email: value }] : [])),
    ...newest.flatMap(({ kind, value }) => (kind === "userId" ? [{ userId: value }] : [])),
  ].slice(0, MOST);
};

/** What the v1 API is asked first. */
export const namedBy = (subject: Subject): Named => ("email" in subject ? subject : { userId: subject.userId });

/** Every address of a person that is known, ten at most: that of the page, that of the contact, then those that webhooks told. */
export const addressesOf = (
  subject: Subject,
  contact: { email: string | null } | undefined,
  known: { identifiers: readonly Identifier[] } | undefined,
): string[] => {
  const named = "email" in subject ? [subject.email] : [];
  const told = otherNames(subject, known).flatMap((one) => ("email" in one ? [one.email] : []));
  const all = [...named, ...(contact?.email ? [contact.email] : []), ...told];
  return [...new Map(all.map((one) => [one.toLowerCase(), one])).values()].slice(0, MOST);
};

/** Who is forgotten: an address, or a user id. Undefined where only an id of a provider is known. */
export const forgettable = (
  subject: Subject,
  contact: { email: string | null; userId: string | null } | undefined,
  known: { identifiers: readonly Identifier[] } | undefined,
): Named | undefined => {
  if ("email" in subject) return subject;
  const isRef = known?.identifiers.some(({ kind, value }) => kind === "ref" && value === subject.ref);
  if (contact?.userId === subject.userId || !isRef) return { userId: subject.userId };
  return contact?.email ? { email: contact.email } : otherNames(subject, known)[0];
};

/** The address of a person without a contact: the one that is named, else the newest that webhooks told. */
export const addressOf = (
  subject: Subject,
  known: { identifiers: readonly Identifier[] } | undefined,
): string | undefined => {
  const [first] = "email" in subject ? [subject] : otherNames(subject, known);
  return first && "email" in first ? first.email : undefined;
};
