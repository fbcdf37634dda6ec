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

const hasEightBit = (raw: Uint8Array): boolean => {
  let all = 0;
  for (let i = 0; i < raw.length; i++) all |= raw[i] ?? 0;
  return all > 127;
};
