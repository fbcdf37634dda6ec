/** Alphabets whose letters look like those of one another. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Lisu}/u,
];

/** True where one word has letters of two alphabets that look alike. Two words may differ: an address has a name and a domain. */
export const mixesAlphabets = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}]+/u).some((word) => ALIKE.filter((alphabet) => alphabet.test(word)).length > 1);

/** Characters that look like a small Latin letter, or like the capital of one, under that letter. */
const LIKE: Readonly<Record<string, string>> = {
  a: "АаΑαɑ",
  b: "ВвΒβ",
  c: "СсϹϲ",
  d: "ԁ",
  e: "ЕеΕε",
  g: "ɡց",
  h: "НнһΗհ",
  i: "іιı",
  j: "ЈјϳͿ",
  k: "КкΚκ",
  l: "I1|ІӀӏΙլԼǀ",
  m: "МмΜ",
  n: "пΝηոռ",
  o: "0ОоΟοσՕօ",
  p: "РрΡρ",
  q: "ԛզ",
  r: "г",
  s: "ЅѕՏ",
  t: "ТтΤτ",
  u: "υսՍ",
  v: "νѵ",
  w: "ԝѡωա",
  x: "ХхΧχ",
  y: "УуΥγ",
  z: "Ζ",
};

const LETTERS = new Map(Object.entries(LIKE).flatMap(([letter, like]) => Array.from(like, (one) => [one, letter])));

/**
 * The same text for two names that look the same: without regard to case, with the Latin letter for one of another alphabet, and for a digit, that
 * looks like it. It covers Latin, Cyrillic, Greek and Armenian letters. Some names that differ have the same too, such as Ian and Lan.
 */
export const lookOf = (name: string): string =>
  Array.from(name.normalize("NFKC"), (one) => LETTERS.get(one) ?? one)
    .join("")
    .toLowerCase()
    .replaceAll("rn", "m");
