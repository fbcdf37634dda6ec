import { isAscii } from "../util/email-key.ts";

/** Letters that have no decomposition, and marks that people type in another way. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ς: "σ",
  "’": "'",
  "‘": "'",
  ʼ: "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
/** Accents, and the points of Hebrew and Arabic. Marks of other scripts are letters of their own. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Folds case, accents and forms of letters, so that "Søren" and "SOREN" are one. */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replaceAll(ACCENTS, "")
        .toLowerCase()
        .replaceAll(SPECIAL, (letter) => PLAIN[letter] ?? letter)
        .normalize("NFC");

/** Folded words of a search. */
export const foldedWords = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .filter((word) => word !== "");

/** True if each word is somewhere in the folded text. */
export const hasWords = (folded: string, words: readonly string[]): boolean =>
  words.every((word) => folded.includes(word));

const LETTER = /[\p{L}\p{N}]/u;

/** True if each word begins a word of the folded text. */
export const beginsWords = (folded: string, words: readonly string[]): boolean =>
  words.every((word) => {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
      if (at === 0 || !LETTER.test(folded.charAt(at - 1))) return true;
    return false;
  });
