/** Guesses of the parts of a name; a part that is not told is left out. */
export type NameParts = { firstName?: string; lastName?: string };

const TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|hr|fr|m|mme|mlle|sr|sra|srta|sig|dott|ing|mag|sir|dame|rev)\.?$/i;
const SUFFIXES = /^(?:jr|sr|i{2,3}|iv|phd|ph\.d|md|m\.d|esq|mba|msc|dds)\.?$/i;
const PARTICLES =
  /^(?:van|von|de|der|den|del|della|di|da|do|dos|das|du|la|le|los|las|el|al|bin|ibn|ben|ter|ten|zu|zur|y|st\.?|af|av|ap|mac|mc)$/i;

/**
 * Guesses first and last name: `Ada Lovelace`, `Lovelace, Ada`, `Dr. Ludwig van Beethoven`. One word is a first name,
 * and an address is none.
 */
export const nameParts = (fullName: string): NameParts => {
  if (fullName.includes("@")) return {};
  const [before = "", after, ...others] = fullName.split(",").map((part) => part.trim());
  const isReversed = after !== undefined && others.length === 0 && after !== "" && !SUFFIXES.test(after);
  if (isReversed) return partsOf(wordsOf(after), before);
  const words = wordsOf(before);
  // "Mr. Smith" is no first name.
  if (words.length === 1 && TITLES.test(before.split(/\s/)[0] ?? "")) return partsOf([], words[0]);
  if (words.length <= 1) return partsOf(words, undefined);
  const end = words.findLastIndex((word, index) => index > 0 && !SUFFIXES.test(word));
  let start = Math.max(1, end);
  while (start > 1 && PARTICLES.test(words[start - 1] ?? "")) start -= 1;
  return partsOf(words.slice(0, start), words.slice(start).join(" "));
};

const wordsOf = (text: string): string[] => {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const first = words.findIndex((word) => !TITLES.test(word));
  return first === -1 ? words : words.slice(first);
};

const partsOf = (first: readonly string[], lastName: string | undefined): NameParts => ({
  ...(first.length > 0 ? { firstName: first.join(" ") } : {}),
  ...(lastName ? { lastName } : {}),
});
