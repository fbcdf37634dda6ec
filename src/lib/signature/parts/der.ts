type Bytes = Uint8Array<ArrayBuffer>;
type Element = { tag: number; content: Bytes; whole: Bytes };

const elements = (bytes: Bytes): Element[] => {
  const found: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? Number.NaN;
    const count = first < 0x80 ? 0 : first & 0x7f;
    let length = count === 0 ? first : 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? Number.NaN);
    const start = at + 2 + count;
    const end = start + length;
    if (!(end <= bytes.length)) throw new Error("DER ends too early");
    found.push({ tag, content: bytes.slice(start, end), whole: bytes.slice(at, end) });
    at = end;
  }
  return found;
};

const NUMBER = 0x02;
const SEQUENCE = 0x30;

/** Converts an ECDSA signature from DER to WebCrypto: r and s, `size` bytes each. `undefined` for other bytes. */
export const ecdsaFromDer = (signature: Bytes, size: number): Bytes | undefined => {
  try {
    const [sequence, ...rest] = elements(signature);
    const numbers = elements(sequence?.content ?? signature);
    if (sequence?.tag !== SEQUENCE || rest.length > 0 || numbers.length !== 2) return undefined;
    const raw = new Uint8Array(2 * size);
    for (const [i, { tag, content }] of numbers.entries()) {
      const digits = content[0] === 0 ? content.slice(1) : content;
      if (tag !== NUMBER || digits.length > size) return undefined;
      raw.set(digits, (i + 1) * size - digits.length);
    }
    return raw;
  } catch {
    return undefined;
  }
};

/** Returns the SubjectPublicKeyInfo of a DER certificate (RFC 5280, section 4.1). Throws if invalid. */
export const publicKeyOf = (certificate: Bytes): Bytes => {
  const signed = elements(elements(certificate)[0]?.content ?? certificate)[0];
  const fields = elements(signed?.content ?? certificate);
  const key = fields[(fields[0]?.tag === 0xa0 ? 1 : 0) + 5];
  if (key?.tag !== SEQUENCE) throw new Error("not a certificate");
  return key.whole;
};
