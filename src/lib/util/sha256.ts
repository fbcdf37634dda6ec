import { toBytes, toHex } from "./hmac.ts";

/** The first 32 bits of the fractional part of a root of each of the first primes (FIPS 180-4 section 4.2.2). */
const fractions = (count: number, root: (prime: number) => number): Uint32Array => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
};

const START = fractions(8, Math.sqrt);
const ROUNDS = fractions(64, Math.cbrt);

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The text with its padding: a one bit, zeros, and its length in bits, as whole blocks of 64 bytes. */
const padded = (text: string): DataView => {
  const bytes = toBytes(text);
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return view;
};

/**
 * SHA-256 of a text as lower-case hex, as `digest` gives it. For the middle of a transaction, which cannot wait for
 * WebCrypto.
 */
export const sha256 = (text: string): string => {
  const data = padded(text);
  const hash = START.slice();
  const words = new Uint32Array(64);
  const at = (from: ArrayLike<number>, index: number) => from[index] ?? 0;
  for (let block = 0; block < data.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = data.getUint32(block + i * 4);
      else {
        const [early, late] = [at(words, i - 15), at(words, i - 2)];
        const low = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
        const high = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
        words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
      }
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let i = 0; i < 64; i++) {
      const choice = (e & f) ^ (~e & g);
      const one = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + at(ROUNDS, i) + at(words, i)) | 0;
      const two = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      hash[i] = at(hash, i) + value;
    });
  }
  const bytes = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => {
    bytes.setUint32(i * 4, word);
  });
  return toHex(new Uint8Array(bytes.buffer));
};
