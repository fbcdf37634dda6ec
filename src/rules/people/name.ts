// A guess that is right for most Western names and wrong for companies. Use it for an empty field only, never to
// overwrite a name that a person entered.
const words = (name: string | null | undefined) => name?.trim().split(/\s+/).filter(Boolean) ?? [];

/** The first word of a full name; undefined for an empty name. */
export const firstName = (name: string | null | undefined): string | undefined => words(name)[0];

/** All words of a full name but the first; undefined where there is only one. */
export const lastName = (name: string | null | undefined): string | undefined =>
  words(name).slice(1).join(" ") || undefined;
