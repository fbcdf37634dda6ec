const utf8 = new TextEncoder();

/** Digest algorithms. */
export type Hash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

/** HMAC of a text. `key`: the raw bytes of the secret, at least one (WebCrypto refuses an empty key). */
export const hmac = async (
  key: Uint8Array<ArrayBuffer>,
  content: string,
  hash: Hash = "SHA-256",
): Promise<Uint8Array<ArrayBuffer>> => {
  const kept = imported.get(key) ?? {};
  imported.set(key, kept);
  kept[hash] ??= crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", await kept[hash], utf8.encode(content)));
};

/** Imported keys, kept as long as their bytes are referenced elsewhere. */
const imported = new WeakMap<Uint8Array, Partial<Record<Hash, Promise<CryptoKey>>>>();

/** SHA-256 of a text, or another digest. */
export const digestBytes = async (text: string, hash: Hash = "SHA-256"): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest(hash, utf8.encode(text)));

/** SHA-256 of a text as 64 lower-case hex digits. */
export const digest = async (text: string): Promise<string> => toHex(await digestBytes(text));

/**
 * True where two texts are equal. Compares their SHA-256 digests in constant time. (`crypto.subtle.timingSafeEqual`
 * exists in workerd, not in Node.)
 */
export const sameText = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([digestBytes(a), digestBytes(b)]);
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
};

/**
 * True where two encoded MACs are equal. Compares them in constant time and without digests, which would cost as much
 * as the MAC itself: the length of a MAC is public. Use `sameText` for secrets, whose length is not.
 */
export const sameMac = (expected: string, offered: string): boolean => {
  if (expected.length !== offered.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ offered.charCodeAt(i);
  return difference === 0;
};

/** The UTF-8 bytes of a text. */
export const toBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(utf8.encode(text));

/** Lower-case hex. */
export const toHex = (bytes: Uint8Array): string => bytes.toHex();

/** Standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => bytes.toBase64();

/** Decodes base64, with or without padding. `undefined` where the text is not base64. Never throws. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return new Uint8Array(Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
};

/** Decodes hex in upper or lower case. `undefined` where the text is not whole bytes of hex. Never throws. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^([0-9a-f]{2})*$/i.test(text)
    ? new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
    : undefined;
