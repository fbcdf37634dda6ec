const utf8 = new TextEncoder();

export type Hash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

/** `key`: raw bytes, at least one (WebCrypto refuses an empty key). */
export const hmac = async (
  key: Uint8Array<ArrayBuffer>,
  content: string,
  hash: Hash = "SHA-256",
): Promise<Uint8Array<ArrayBuffer>> => {
  const kept = imported.get(key) ?? {};
  imported.set(key, kept);
  kept[hash] ??= crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", await kept[hash], bytesOf(content)));
};

/** Bytes of most webhooks. `sign` copies its input before it returns, so each call may use the same memory. */
const memory = new Uint8Array(32_768);

/** The bytes of a text, valid until the next call. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  // A UTF-16 unit has at most three bytes.
  text.length * 3 <= memory.length ? memory.subarray(0, utf8.encodeInto(text, memory).written) : toBytes(text);

const imported = new WeakMap<Uint8Array, Partial<Record<Hash, Promise<CryptoKey>>>>();

export const digestBytes = async (text: string, hash: Hash = "SHA-256"): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest(hash, utf8.encode(text)));

/** SHA-256 as 64 lower-case hex digits. */
export const digest = async (text: string): Promise<string> => toHex(await digestBytes(text));

/** Compares SHA-256 digests in constant time. (`crypto.subtle.timingSafeEqual` exists only in workerd.) */
export const sameText = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([digestBytes(a), digestBytes(b)]);
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
};

/** Compares MACs in constant time. Use `sameText` for secrets, because their length is not public. */
export const sameMac = (expected: string, offered: string): boolean => {
  if (expected.length !== offered.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ offered.charCodeAt(i);
  return difference === 0;
};

export const toBytes = (text: string): Uint8Array<ArrayBuffer> => utf8.encode(text) as Uint8Array<ArrayBuffer>;

export const toHex = (bytes: Uint8Array): string => bytes.toHex();

export const toBase64 = (bytes: Uint8Array): string => bytes.toBase64();

/** Decodes base64 with or without padding; undefined if invalid. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return new Uint8Array(Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
};

/** Decodes hex of either case; undefined if invalid. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^([0-9a-f]{2})*$/i.test(text)
    ? new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    : undefined;
