import { diffArrays } from "diff";

/** A part of a text. `differs`: the other text has something else. */
export type Piece = { text: string; differs: boolean };

const wordsOf = (text: string): string[] => text.match(/[^\s;]+|\s+|;/g) ?? [];

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
  const out: { wanted: Piece[]; found: Piece[] } = { wanted: [], found: [] };
  let [gone, added] = ["", ""];
  const replace = () => {
    const replaced = ends(gone, added);
    out.wanted.push(...replaced.wanted);
    out.found.push(...replaced.found);
    [gone, added] = ["", ""];
  };
  for (const change of diffArrays(wordsOf(wanted), wordsOf(found))) {
    const text = change.value.join("");
    if (change.removed) gone += text;
    else if (change.added) added += text;
    else {
      replace();
      out.wanted.push({ text, differs: false });
      out.found.push({ text, differs: false });
    }
  }
  replace();
  return { wanted: joined(out.wanted), found: joined(out.found) };
};
