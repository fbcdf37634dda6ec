const CR = 13;
const LF = 10;
const DOT = 46;

/** Message bytes for SMTP DATA, or why the message cannot be sent. */
export type Data = { bytes: Uint8Array; eightBit: boolean } | { problem: string };

/** Encodes SMTP DATA with dot-stuffing (RFC 5321 section 4.5.2). Refuses a lone CR or LF (SMTP smuggling). */
export const toData = (raw: Uint8Array): Data => {
  const dots: number[] = raw[0] === DOT ? [0] : [];
  let ends = 0;
  for (let lf = raw.indexOf(LF); lf >= 0; lf = raw.indexOf(LF, lf + 1)) {
    if (raw[lf - 1] !== CR) return { problem: `The message has a line feed without carriage return, at byte ${lf}.` };
    ends++;
    if (raw[lf + 1] === DOT) dots.push(lf + 1);
  }
  let returns = 0;
  for (let cr = raw.indexOf(CR); cr >= 0; cr = raw.indexOf(CR, cr + 1)) returns++;
  if (returns !== ends) return { problem: "The message has a carriage return without line feed." };
  const end = raw.length === 0 || raw.at(-1) === LF ? ".\r\n" : "\r\n.\r\n";
  const bytes = new Uint8Array(raw.length + dots.length + end.length);
  let from = 0;
  let at = 0;
  for (const dot of dots) {
    bytes.set(raw.subarray(from, dot), at);
    at += dot - from;
    bytes[at++] = DOT;
    from = dot;
  }
  bytes.set(raw.subarray(from), at);
  for (let i = 0; i < end.length; i++) bytes[bytes.length - end.length + i] = end.charCodeAt(i);
  return { bytes, eightBit: hasEightBit(raw) };
};

/** Reads four octets at a time where the memory allows it: most of a mail is ASCII, so all of it is read. */
const hasEightBit = ({ buffer, byteOffset, length }: Uint8Array): boolean => {
  const words = byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : new Uint32Array();
  let all = 0;
  for (let i = 0; i < words.length; i++) all |= words[i] as number;
  if ((all & 0x80808080) !== 0) return true;
  for (const byte of new Uint8Array(buffer, byteOffset + words.byteLength, length - words.byteLength)) all |= byte;
  return (all & 0x80) !== 0;
};
