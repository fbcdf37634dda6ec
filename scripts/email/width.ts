const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** East Asian wide and full-width characters (Unicode UAX 11). A terminal gives each two columns. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{RGI_Emoji}$/v;
const COMBINING = /^\p{M}/u;
/** Characters that change a terminal's state or the direction of its text. */
const UNSAFE = /^[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const TAB = "    ";

/** One character as a reader sees it. `offset`: its place in the text, in UTF-16 units. `width`: columns of a terminal. */
export type Cell = { shown: string; width: number; offset: number };

/** The characters of a line as a terminal shows them: tabs as spaces, and a sign for each control character. */
export const cellsOf = (line: string): Cell[] =>
  [...graphemes.segment(line)].map(({ segment, index }) => {
    if (segment === "\t") return { shown: TAB, width: TAB.length, offset: index };
    if (UNSAFE.test(segment)) return { shown: pictureOf(segment), width: 1, offset: index };
    return { shown: segment, width: widthOf(segment), offset: index };
  });

/** U+2400 and the characters after it are pictures of the first 32 control characters. */
const pictureOf = (segment: string): string => {
  const code = segment.codePointAt(0) ?? 0;
  return code < 32 ? String.fromCharCode(0x2400 + code) : "\ufffd";
};

const widthOf = (segment: string): number => {
  if (COMBINING.test(segment)) return 0;
  return WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1;
};
