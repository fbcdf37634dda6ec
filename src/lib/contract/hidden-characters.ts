// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Removes control characters but tabs and line ends, and marks that turn the direction of text (UAX 9, section 2). */
export const withoutHidden = (text: string): string => text.replace(HIDDEN, "");

export const hasHidden = (text: string): boolean => text.search(HIDDEN) !== -1;

/** Words of a refusal. */
export const NO_HIDDEN = "must not contain control characters or marks that turn the direction of text";
