// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const HIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Invisible copies of ASCII, but for those of a flag (UTS 51, annex C). */
const TAGS = /(\u{1f3f4}[\u{e0020}-\u{e007e}]{2,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;
/** Begins each tag character in UTF-16. */
const TAG = "\udb40";

const withoutTags = (text: string): string => (text.includes(TAG) ? text.replace(TAGS, "$1") : text);

/** Removes control characters but tabs and line ends, marks that turn the direction of text (UAX 9, section 2), and tags. */
export const withoutHidden = (text: string): string => withoutTags(text.replace(HIDDEN, ""));

export const hasHidden = (text: string): boolean => text.search(HIDDEN) !== -1 || withoutTags(text) !== text;

/** Words of a refusal. */
export const NO_HIDDEN =
  "must not contain control characters, marks that turn the direction of text, or invisible tags";
