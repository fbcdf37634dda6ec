import type { Subject } from "./subject.ts";

export type Named = { email: string } | { userId: string };

type Identifier = { kind: "email" | "userId" | "ref"; value: string; learnedAt: string | null };

const MOST = 10;

/** Returns other addresses and user ids from webhooks. Newest first, addresses before user ids. */
export const otherNames = (
  subject: Subject,
  known: { identifiers: readonly Identifier[] } | null | undefined,
): Named[] => {
  const named = Object.values(subject)[0]?.toLowerCase();
  const newest = (known?.identifiers ?? [])
    .filter(({ kind, value }) => kind !== "ref" && value.toLowerCase() !== named)
    .toSorted((a, b) => (b.learnedAt ?? "").localeCompare(a.learnedAt ?? ""));
  return [
    ...newest.flatMap(({ kind, value }) => (kind === "email" ? [{ email: value }] : [])),
    ...newest.flatMap(({ kind, value }) => (kind === "userId" ? [{ userId: value }] : [])),
  ].slice(0, MOST);
};

export const namedBy = (subject: Subject): Named => ("email" in subject ? subject : { userId: subject.userId });

/** Returns at most ten addresses: page, contact, then webhooks. */
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

/** Returns the erasable address or user id, if known. */
export const erasable = (
  subject: Subject,
  contact: { email: string | null; userId: string | null } | undefined,
  known: { identifiers: readonly Identifier[] } | undefined,
): Named | undefined => {
  if ("email" in subject) return subject;
  const isRef = known?.identifiers.some(({ kind, value }) => kind === "ref" && value === subject.ref);
  if (contact?.userId === subject.userId || !isRef) return { userId: subject.userId };
  return contact?.email ? { email: contact.email } : otherNames(subject, known)[0];
};

/** Returns the named address, else the newest from webhooks. */
export const addressOf = (
  subject: Subject,
  known: { identifiers: readonly Identifier[] } | undefined,
): string | undefined => {
  const [first] = "email" in subject ? [subject] : otherNames(subject, known);
  return first && "email" in first ? first.email : undefined;
};
