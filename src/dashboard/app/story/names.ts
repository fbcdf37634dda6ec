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

/** The address of a person without a contact: the one that is named, else the newest that webhooks told. */
export const addressOf = (
  subject: Subject,
  known: { identifiers: readonly Identifier[] } | undefined,
): string | undefined => {
  const [first] = "email" in subject ? [subject] : otherNames(subject, known);
  return first && "email" in first ? first.email : undefined;
};
