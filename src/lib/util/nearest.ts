/** Longer names are no typing slip, and the distance below is quadratic in them. */
const MAX_SLIP = 24;

/** Edits (insert, delete, replace) that turn one word into the other. */
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

/** The name a word is the fewest edits from, whatever its case, and how many; undefined where there are no names. */
const ranked = (word: string, names: Iterable<string>): { name: string; edits: number } | undefined => {
  let best: { name: string; edits: number } | undefined;
  for (const name of names) {
    const edits = distance(word.toLowerCase(), name.toLowerCase());
    if (!best || edits < best.edits) best = { name, edits };
  }
  return best;
};

/** The name most like the word: for short lists where every answer helps. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => ranked(word, names)?.name;

/** The name that the word is a likely slip of: at most a third of it is wrong. Undefined when none is that near. */
export const closest = (word: string, names: Iterable<string>): string | undefined => {
  if (word.length > MAX_SLIP) return undefined;
  const best = ranked(word, names);
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
};
