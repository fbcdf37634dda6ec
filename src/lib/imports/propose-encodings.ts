import { ENCODINGS, type Encoding } from "./decode.ts";

/** Order of likelihood where the letters decide nothing. */
const CANDIDATES: readonly Encoding[] = [
  "windows-1252",
  ...ENCODINGS.filter((one) => !one.startsWith("utf") && one !== "windows-1252"),
];
const SCRIPTS = ["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic", "Thai", "Han", "Hiragana", "Katakana", "Hangul"].map(
  (name) => ({ name, test: new RegExp(`\\p{Script=${name}}`, "u") }),
);
/** Letters that languages of the encoding use most. */
const USUAL = /[àáâãäåæçèéêëìíîïñòóôõöøùúûüßąćęłńśźżčďěňřšťůžőűăîșțğışа-яёα-ωάέήίόύώא-ת]/u;
const PUNCTUATION = /[\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u20ac\u00a0£©®™°º«»¿¡]/u;
const MANY = 400;
const SHOWN = 40;
const PROPOSED = 3;

const scriptOf = (char: string): string | undefined => SCRIPTS.find(({ test }) => test.test(char))?.name;

const pointsOf = (char: string, before: string, after: string): number => {
  if (PUNCTUATION.test(char)) return -0.2;
  if (!/\p{L}|\p{M}/u.test(char)) return -2;
  const script = scriptOf(char);
  const isRaised = /\p{Lu}/u.test(char) && /\p{Ll}/u.test(before);
  const neighbors = [before, after].filter((one) => /\p{L}/u.test(one)).map(scriptOf);
  const isMixed = script === "Latin" ? neighbors.some((one) => one !== "Latin") : neighbors.includes("Latin");
  const isHalfWide = char >= "\uff61" && char <= "\uff9f";
  // Two accents side by side are rare; syllables and kana are the work of few encodings.
  const isDense = script === "Latin" && [before, after].some((one) => one > "\u007f");
  const isTelling = script === "Hangul" || script === "Hiragana" || script === "Katakana";
  const penalty = (isRaised ? 1.5 : 0) + (isMixed ? 2.5 : 0) + (isHalfWide ? 1.5 : 0) + (isDense ? 1 : 0);
  return (USUAL.test(char.toLowerCase()) || isTelling ? 1.2 : 0.8) - penalty;
};

const scoreOf = (text: string): number => {
  const chars = [...text];
  const points = chars.flatMap((char, at) =>
    char > "\u007f" ? [pointsOf(char, chars[at - 1] ?? "", chars[at + 1] ?? "")] : [],
  );
  return points.reduce((sum, one) => sum + one, 0) / Math.max(1, points.length);
};

const lineAround = (bytes: Uint8Array, at: number): Uint8Array => {
  const isEnd = (byte: number | undefined): boolean => byte === undefined || byte === 0x0a || byte === 0x0d;
  let [from, to] = [at, at];
  while (from > 0 && at - from < MANY && !isEnd(bytes[from - 1])) from -= 1;
  while (to < bytes.length && to - at < MANY && !isEnd(bytes[to])) to += 1;
  return bytes.subarray(from, to);
};

const around = (text: string): string => {
  const first = [...text].findIndex((char) => char > "\u007f");
  const begin = Math.max(0, first - SHOWN / 2);
  return [...text]
    .slice(begin, begin + SHOWN)
    .join("")
    .trim();
};

/** Encodings that read the line of a wrong byte, the likeliest first, with what they read. */
export const proposeEncodings = (bytes: Uint8Array, at: number): { encoding: Encoding; reads: string }[] => {
  const line = lineAround(bytes, at);
  const tried = CANDIDATES.flatMap((encoding) => {
    try {
      const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(line);
      return [...text].some((char) => char > "\u007f") ? [{ encoding, reads: around(text), score: scoreOf(text) }] : [];
    } catch {
      return [];
    }
  });
  const best = tried.toSorted((one, other) => other.score - one.score);
  const different = best.filter(({ reads }, index) => best.findIndex((one) => one.reads === reads) === index);
  return different.slice(0, PROPOSED).map(({ encoding, reads }) => ({ encoding, reads }));
};
