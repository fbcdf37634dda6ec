const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Unicode UAX 11: a terminal gives each two columns. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{RGI_Emoji}$/v;
const COMBINING = /^\p{M}/u;
/** Characters that change terminal state or text direction. */
const UNSAFE = /^[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const TAB = "    ";

/** One character. `offset`: UTF-16 units. `width`: terminal columns. */
export type Cell = { shown: string; width: number; offset: number };

/** Splits a line into cells, with visible signs for tabs and control characters. */
export const cellsOf = (line: string): Cell[] =>
  [...graphemes.segment(line)].map(({ segment, index }) => {
    if (segment === "\t") return { shown: TAB, width: TAB.length, offset: index };
    if (UNSAFE.test(segment)) return { shown: pictureOf(segment), width: 1, offset: index };
    return { shown: segment, width: widthOf(segment), offset: index };
  });

/** U+2400 and later are pictures of the first 32 control characters. */
const pictureOf = (segment: string): string => {
  const code = segment.codePointAt(0) ?? 0;
  return code < 32 ? String.fromCharCode(0x2400 + code) : "\ufffd";
};

const widthOf = (segment: string): number => {
  if (COMBINING.test(segment)) return 0;
  return WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1;
};
