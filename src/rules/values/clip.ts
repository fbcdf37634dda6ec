/** Characters: servers accept 500, and some count the two quotes. */
const LONGEST = 498;

/** Shortens a text with an ellipsis: a longer value fails the delivery. */
export const clip = <T extends string | null | undefined>(text: T, length = LONGEST): string | T => {
  if (typeof text !== "string" || text.length <= length) return text;
  // Removes half of a surrogate pair at the cut.
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

/** Returns a URL, or undefined if too long: a shortened link would fail. */
export const shortLink = (url: string | null | undefined): string | undefined =>
  url && url.length <= LONGEST ? url : undefined;
