/** A part of a text. `differs`: the other text has something else. */
export type Piece = { text: string; differs: boolean };

const wordsOf = (text: string): string[] => text.match(/[^\s;]+|\s+|;/g) ?? [];

/** Positions of a longest common subsequence in `b`; undefined for words that `b` lacks. */
const matchesOf = (a: readonly string[], b: readonly string[]): (number | undefined)[] => {
  // lengths[i][j]: common words of a from i and b from j.
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      (lengths[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const matches = new Array<number | undefined>(a.length);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      matches[i] = j;
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return matches;
};

const commonStart = (a: string, b: string): number => {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return n;
};
const reversed = (text: string): string => [...text].reverse().join("");

const ends = (wanted: string, found: string): { wanted: Piece[]; found: Piece[] } => {
  const start = commonStart(wanted, found);
  const end = commonStart(reversed(wanted.slice(start)), reversed(found.slice(start)));
  const cut = (text: string): Piece[] => [
    { text: text.slice(0, start), differs: false },
    { text: text.slice(start, text.length - end), differs: true },
    { text: text.slice(text.length - end), differs: false },
  ];
  return { wanted: cut(wanted), found: cut(found) };
};

const joined = (pieces: readonly Piece[]): Piece[] => {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (piece.text === "") continue;
    if (last?.differs === piece.differs) out[out.length - 1] = { ...last, text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
};

/**
 * Compares a wanted record with a found one by words. Replaced words are compared by character, because a DKIM key is
 * one word.
 */
export const differenceOf = (wanted: string, found: string): { wanted: Piece[]; found: Piece[] } => {
  const [a, b] = [wordsOf(wanted), wordsOf(found)];
  const matches = matchesOf(a, b);
  const out: { wanted: Piece[]; found: Piece[] } = { wanted: [], found: [] };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const next = matches.findIndex((match, n) => n >= i && match !== undefined);
    const [endA, endB] = next === -1 ? [a.length, b.length] : [next, matches[next] ?? b.length];
    const replaced = ends(a.slice(i, endA).join(""), b.slice(j, endB).join(""));
    out.wanted.push(...replaced.wanted);
    out.found.push(...replaced.found);
    if (next !== -1) {
      out.wanted.push({ text: a[next] ?? "", differs: false });
      out.found.push({ text: a[next] ?? "", differs: false });
    }
    [i, j] = [endA + 1, endB + 1];
  }
  return { wanted: joined(out.wanted), found: joined(out.found) };
};
