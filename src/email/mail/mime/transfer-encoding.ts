const encoder = new TextEncoder();

const [TAB, LF, CR, SPACE, DOT, EQUALS, HYPHEN] = [9, 10, 13, 32, 46, 61, 45];
/** Longest line of an encoded body (RFC 2045 section 6.7). */
const LINE = 76;

const LITERAL = new Uint8Array(256);
for (let byte = 32; byte < 127; byte++) LITERAL[byte] = byte === EQUALS ? 0 : 1;
LITERAL[TAB] = 1;

const HEX = encoder.encode("0123456789ABCDEF");
const ALPHABET = encoder.encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

type Body = { encoding: "7bit" | "quoted-printable" | "base64"; bytes: Uint8Array };

type Shape = { escapes: number; lines: number; plain: boolean; ascii: boolean };

/** Mail servers change "From " at a line start and may lose a dot. */
const isDelicate = (text: Uint8Array, at: number): boolean =>
  text[at] === DOT ||
  // "From "
  (text[at] === 70 && text[at + 1] === 114 && text[at + 2] === 111 && text[at + 3] === 109 && text[at + 4] === SPACE);

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR || byte === undefined;

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB;

/** Returns the end of the octets from `at` on that stand for themselves, at most `most`. */
const literalsEnd = (text: Uint8Array, at: number, most: number): number => {
  let end = at;
  while (end < most && LITERAL[text[end] as number] === 1) end++;
  return end;
};

const shapeOf = (text: Uint8Array): Shape => {
  let escapes = 0;
  let lines = 0;
  let plain = true;
  let ascii = true;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (at === start && (isDelicate(text, at) || (text[at] === HYPHEN && text[at + 1] === HYPHEN))) plain = false;
    at = literalsEnd(text, at, text.length);
    const byte = text[at];
    if (isBreak(byte)) {
      if (at - start > LINE || isBlank(text[at - 1])) plain = false;
      if (byte === CR && text[at + 1] === LF) at++;
      if (byte !== undefined) lines++;
      start = at + 1;
    } else {
      escapes++;
      if (byte !== EQUALS) plain = false;
      if ((byte ?? 0) > 127) ascii = false;
    }
  }
  if (text.length - start > LINE) plain = false;
  return { escapes, lines, plain, ascii };
};

const quotedPrintable = (text: Uint8Array, { escapes, lines }: Shape): Uint8Array => {
  const size = text.length + 2 * escapes;
  // Each line may get two more escapes and a two-octet line break, and a soft line break every 73 octets.
  const softBreaks = Math.ceil((size + 4 * lines) / (LINE - 3)) + 1;
  const out = new Uint8Array(size + 5 * (lines + 1) + 5 * softBreaks);
  let end = 0;
  let column = 0;
  for (let at = 0; at < text.length; ) {
    const byte = text[at] as number;
    if (byte === LF || byte === CR) {
      at += byte === CR && text[at + 1] === LF ? 2 : 1;
      out[end++] = CR;
      out[end++] = LF;
      column = 0;
      continue;
    }
    const literal = LITERAL[byte] === 1 && !(isBlank(byte) && isBreak(text[at + 1]));
    if (column + (literal ? 1 : 3) >= LINE) {
      out[end++] = EQUALS;
      out[end++] = CR;
      out[end++] = LF;
      column = 0;
    }
    if (!literal || (column === 0 && isDelicate(text, at))) {
      out[end++] = EQUALS;
      out[end++] = HEX[byte >> 4] as number;
      out[end++] = HEX[byte & 15] as number;
      column += 3;
      at++;
      continue;
    }
    let next = literalsEnd(text, at + 1, Math.min(text.length, at + LINE - 1 - column));
    if (next > at + 1 && isBlank(text[next - 1]) && isBreak(text[next])) next--;
    for (column += next - at; at < next; at++) out[end++] = text[at] as number;
  }
  return out.subarray(0, end);
};

/** Encodes base64 in lines of 76, without a final line break. */
export const base64 = (bytes: Uint8Array): Uint8Array => {
  const length = Math.ceil(bytes.length / 3) * 4;
  const out = new Uint8Array(length + 2 * Math.max(0, Math.ceil(length / LINE) - 1));
  let end = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    if (at > 0 && at % 57 === 0) {
      out[end++] = CR;
      out[end++] = LF;
    }
    const second = bytes[at + 1];
    const third = bytes[at + 2];
    const bits = ((bytes[at] ?? 0) << 16) | ((second ?? 0) << 8) | (third ?? 0);
    out[end++] = ALPHABET[bits >> 18] ?? 0;
    out[end++] = ALPHABET[(bits >> 12) & 63] ?? 0;
    out[end++] = second === undefined ? EQUALS : (ALPHABET[(bits >> 6) & 63] ?? 0);
    out[end++] = third === undefined ? EQUALS : (ALPHABET[bits & 63] ?? 0);
  }
  return out;
};

const withBreaks = (text: string): Uint8Array => encoder.encode(text.replace(/\r\n?|\n/g, "\r\n"));

/** Uses the shortest transfer encoding. No line begins with `--=_`, the prefix of boundaries. */
export const encodeText = (text: string): Body => {
  const bytes = encoder.encode(text);
  const shape = shapeOf(bytes);
  if (shape.plain) return { encoding: "7bit", bytes: withBreaks(text) };
  const isShort = bytes.length + 2 * shape.escapes <= (bytes.length * 4) / 3;
  // Spam filters distrust ASCII in base64.
  if (isShort || shape.ascii) return { encoding: "quoted-printable", bytes: quotedPrintable(bytes, shape) };
  return { encoding: "base64", bytes: base64(withBreaks(text)) };
};
