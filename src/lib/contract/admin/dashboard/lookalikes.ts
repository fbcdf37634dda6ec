const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Lisu}/u,
];

/** True if one word mixes similar alphabets. Separate words may differ. */
export const mixesAlphabets = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}]+/u).some((word) => ALIKE.filter((alphabet) => alphabet.test(word)).length > 1);

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
 * Returns equal text for similar names (Latin, Cyrillic, Greek, Armenian). Some different names match, such as Ian
 * and Lan.
 */
export const lookOf = (name: string): string =>
  Array.from(name.normalize("NFKC"), (one) => LETTERS.get(one) ?? one)
    .join("")
    .toLowerCase()
    .replaceAll("rn", "m");
