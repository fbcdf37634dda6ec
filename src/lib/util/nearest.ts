/** The time of `distance` grows with the product of both lengths. */
const MAX_LENGTH = 24;

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

const ranked = (word: string, names: Iterable<string>): { name: string; edits: number } | undefined => {
  let best: { name: string; edits: number } | undefined;
  for (const name of names) {
    const edits = distance(word.toLowerCase(), name.toLowerCase());
    if (!best || edits < best.edits) best = { name, edits };
  }
  return best;
};

export const nearest = (word: string, names: Iterable<string>): string | undefined => ranked(word, names)?.name;

/** Returns the name if at most a third of the word differs. */
export const closest = (word: string, names: Iterable<string>): string | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const best = ranked(word, names);
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
};
