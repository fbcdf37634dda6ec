/** The time of `distance` grows with the product of both lengths. */
const MAX_LENGTH = 40;

/** Counts letters that are wrong, missing, too many or swapped with their neighbor. */
const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
};

/** Returns the most similar name if at most a third of the word, or one letter, differs. */
export const nearest = (word: string, names: Iterable<string>): string | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const most = Math.max(1, Math.floor(word.length / 3));
  const [best] = [...names]
    .filter(({ length }) => Math.abs(length - word.length) <= most)
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((one, other) => one.edits - other.edits);
  return best?.name;
};
