// A guess that fits most Western names and no company: use it to fill a gap, never to overwrite what a person wrote.
const words = (name: string | null | undefined) => name?.trim().split(/\s+/).filter(Boolean) ?? [];

/** The first word of a full name; undefined where there is none. */
export const firstName = (name: string | null | undefined): string | undefined => words(name)[0];

/** What follows the first word of a full name; undefined where nothing does. */
export const lastName = (name: string | null | undefined): string | undefined =>
  words(name).slice(1).join(" ") || undefined;
