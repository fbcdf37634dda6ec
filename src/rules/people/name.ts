// Right for most Western names and wrong for companies. Write it as a `guess`, which never replaces a name that the
// person gave.
const words = (name: string | null | undefined) => name?.trim().split(/\s+/).filter(Boolean) ?? [];

/** The first word of a full name; undefined for an empty name. */
export const firstName = (name: string | null | undefined): string | undefined => words(name)[0];

/** All words of a full name but the first; undefined where there is only one. */
export const lastName = (name: string | null | undefined): string | undefined =>
  words(name).slice(1).join(" ") || undefined;
