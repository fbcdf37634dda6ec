/** Longest text of a property, in characters: hosts take 500, and some count the two quotes around it. */
const LONGEST = 498;

/**
 * A text of no more than `length` characters, the last an ellipsis where some were cut. For fields that people write and
 * a provider does not bound: the host refuses a longer one, and with it the whole call. null and undefined stay.
 */
export const clip = <T extends string | null | undefined>(text: T, length = LONGEST): string | T => {
  if (typeof text !== "string" || text.length <= length) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

/** An address of the web, or undefined where it is too long to be kept: half a link leads nowhere. */
export const shortLink = (url: string | null | undefined): string | undefined =>
  url && url.length <= LONGEST ? url : undefined;
