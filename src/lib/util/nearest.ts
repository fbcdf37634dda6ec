/** Longer words are not compared: the time of `distance` grows with the product of both lengths. */
const MAX_LENGTH = 24;

/** Levenshtein distance: the insertions, deletions and replacements that turn one word into the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The name with the fewest edits from the word, ignoring case; undefined where there are no names. */
const ranked = (word: string, names: Iterable<string>): { name: string; edits: number } | undefined => {
  let best: { name: string; edits: number } | undefined;
  for (const name of names) {
    const edits = distance(word.toLowerCase(), name.toLowerCase());
    if (!best || edits < best.edits) best = { name, edits };
  }
  return best;
};

/** The name most similar to the word, however different: for short lists, where any suggestion helps. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => ranked(word, names)?.name;

/** The name that the word is probably a misspelling of: at most a third of the word differs. Else undefined. */
export const closest = (word: string, names: Iterable<string>): string | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const best = ranked(word, names);
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
};
