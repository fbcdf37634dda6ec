const encoder = new TextEncoder();

const FRAME = 12;
/** Longest encoded word (RFC 2047 section 2). */
const MAX_WORD = 75;

/** Characters that Q keeps unencoded everywhere, also in a mailbox name (RFC 2047 section 5). */
const PLAIN = /^[A-Za-z0-9!*+/-]$/;

const quoted = (char: string): string => {
  if (PLAIN.test(char)) return char;
  if (char === " ") return "_";
  let text = "";
  for (const byte of encoder.encode(char)) text += `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return text;
};

const based = (text: string): string => btoa(String.fromCharCode(...encoder.encode(text)));

/** A code point is never split (RFC 2047 section 5). */
const cut = (text: string, first: number, rest: number, sizeOf: (char: string) => number): string[] => {
  const pieces: string[] = [];
  let piece = "";
  let size = 0;
  for (const char of text) {
    const more = sizeOf(char);
    if (size > 0 && size + more > (pieces.length === 0 ? first : rest)) {
      pieces.push(piece);
      piece = "";
      size = 0;
    }
    piece += char;
    size += more;
  }
  return [...pieces, piece];
};

const bytesIn = (room: number): number => Math.floor((room - FRAME) / 4) * 3;

/**
 * Encodes a text as encoded words, in the shorter encoding.
 *
 * @param room characters left on the line for the first word
 */
export const encodedWords = (text: string, room = MAX_WORD): string[] => {
  const first = Math.min(room, MAX_WORD);
  let quotedSize = 0;
  for (const char of text) quotedSize += quoted(char).length;
  if (quotedSize <= (encoder.encode(text).length * 4) / 3) {
    const pieces = cut(text, first - FRAME, MAX_WORD - FRAME, (char) => quoted(char).length);
    return pieces.map((piece) => `=?UTF-8?Q?${Array.from(piece, quoted).join("")}?=`);
  }
  const pieces = cut(text, bytesIn(first), bytesIn(MAX_WORD), (char) => encoder.encode(char).length);
  return pieces.map((piece) => `=?UTF-8?B?${based(piece)}?=`);
};
