/** Max characters of a property value: hosts accept 500, and some count the two quotes. */
const LONGEST = 498;

/**
 * Shortens a text to `length` characters; the last is then an ellipsis. For fields that people write and whose length
 * the provider does not limit: the host refuses a call with a longer value. null and undefined are returned as given.
 */
export const clip = <T extends string | null | undefined>(text: T, length = LONGEST): string | T => {
  if (typeof text !== "string" || text.length <= length) return text;
  // Removes half of a surrogate pair at the cut.
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

/** A URL, or undefined where it is too long for a property: a shortened link would not work. */
export const shortLink = (url: string | null | undefined): string | undefined =>
  url && url.length <= LONGEST ? url : undefined;
