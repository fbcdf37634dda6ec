import { sameMac, toBytes } from "./util/hmac.ts";
import { remember } from "./util/remember.ts";

/** Key of one purpose: HMAC-SHA-256 authenticates, AES-256-CTR hides. */
export type SealKey = { mac: CryptoKey; cipher: CryptoKey };

/** `expires`: Unix ms, or infinity. */
export type Opened = { payload: string; expires: number } | "expired" | "invalid";

const TAG_BYTES = 16;
/** Part of a derived MAC that may be shown. */
const SHOWN_BYTES = 12;
const MAX_CHARACTERS = 4_000;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;

const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

const importMac = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/** Derives a key by HKDF-SHA-256. Keys of different purposes are independent. Rejects an empty secret. */
export const keyFor = remember(async (secret: string, purpose: string): Promise<SealKey> => {
  if (secret === "") throw new Error(`The secret for "${purpose}" is empty.`);
  const material = await crypto.subtle.importKey("raw", toBytes(secret), "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: toBytes(`mailspan ${purpose}`) };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 512));
  const [mac, cipher] = await Promise.all([
    importMac(bytes.slice(0, 32)),
    crypto.subtle.importKey("raw", bytes.slice(32), "AES-CTR", false, ["encrypt", "decrypt"]),
  ]);
  return { mac, cipher };
});

/** One letter for the use is a part of the content, so that no tag opens a seal. */
const USES = { tag: "t", seal: "s", derive: "d" } as const;

const contentOf = (use: keyof typeof USES, content: string) => toBytes(USES[use] + content);

const macOf = ({ mac }: SealKey, content: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.sign("HMAC", mac, content);

type Form = (mac: Uint8Array) => string;

const short: Form = (mac) => mac.subarray(0, TAG_BYTES).toBase64(BASE64URL);

/** Authenticates content. `form` writes 32 bytes; the default is 128 bits in 22 characters of base64url. */
export const tag = async (key: SealKey, content: string, form: Form = short): Promise<string> =>
  form(new Uint8Array(await macOf(key, contentOf("tag", content))));

/** Verifies a tag in constant time. */
export const isTag = async (key: SealKey, content: string, offered: string, form: Form = short): Promise<boolean> =>
  sameMac(await tag(key, content, form), offered);

export type Derived = { shown: Uint8Array<ArrayBuffer>; key(): Promise<SealKey> };

/** Derives 12 bytes to show and a key that does not follow from them, of one HMAC of `name`. */
export const derived = async (from: SealKey, name: string): Promise<Derived> => {
  const bytes = new Uint8Array(await macOf(from, contentOf("derive", name)));
  let key: Promise<SealKey> | undefined;
  const importKey = async () => ({ mac: await importMac(bytes.subarray(SHOWN_BYTES)), cipher: from.cipher });
  return {
    shown: bytes.subarray(0, SHOWN_BYTES),
    key() {
      key ??= importKey();
      return key;
    },
  };
};

/** The tag also starts the cipher's counter (RFC 5297): equal counters mean equal texts. */
const counterFrom = (iv: Uint8Array<ArrayBuffer>) => ({ name: "AES-CTR", counter: iv, length: 64 });

/**
 * Encrypts and authenticates a payload as base64url, the same each time. `expires`: Unix ms; none never ends.
 *
 * @throws `RangeError` for a text that `opened` would refuse: over 4 000 characters, or a time that is no number
 */
export const sealed = async (key: SealKey, payload: string, expires?: number): Promise<string> => {
  if (expires !== undefined && !Number.isFinite(expires)) throw new RangeError("A seal ends at a time in Unix ms.");
  const content = contentOf("seal", `${expires?.toString(36) ?? ""} ${payload}`);
  const iv = new Uint8Array(await macOf(key, content), 0, TAG_BYTES);
  const hidden = new Uint8Array(await crypto.subtle.encrypt(counterFrom(iv), key.cipher, content.subarray(1)));
  const bytes = new Uint8Array(TAG_BYTES + hidden.length);
  bytes.set(iv);
  bytes.set(hidden, TAG_BYTES);
  const written = bytes.toBase64(BASE64URL);
  if (written.length > MAX_CHARACTERS) throw new RangeError("A sealed text has at most 4,000 characters.");
  return written;
};

/**
 * Decrypts a sealed text; `now` is Unix ms. `keyOf` finds the derived key that the payload names. Never throws.
 */
export const opened = async (
  key: SealKey,
  given: string,
  now: number,
  keyOf?: (payload: string) => Promise<SealKey | undefined>,
): Promise<Opened> => {
  const bytes = given.length > MAX_CHARACTERS ? undefined : fromBase64Url(given);
  if (bytes === undefined || bytes.length <= TAG_BYTES) return "invalid";
  const iv = bytes.slice(0, TAG_BYTES);
  const plain = await crypto.subtle.decrypt(counterFrom(iv), key.cipher, bytes.subarray(TAG_BYTES));
  const content = text.decode(plain);
  const at = content.indexOf(" ");
  const payload = content.slice(at + 1);
  const used = keyOf ? await keyOf(payload) : key;
  if (!used || !sameMac(short(new Uint8Array(await macOf(used, contentOf("seal", content)))), short(iv)))
    return "invalid";
  const expires = at === 0 ? Number.POSITIVE_INFINITY : Number.parseInt(content.slice(0, at), 36);
  return now < expires ? { payload, expires } : "expired";
};

/** Decodes base64url without padding; undefined if it is another spelling of the bytes. */
export const fromBase64Url = (given: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    const bytes = Uint8Array.fromBase64(given, { alphabet: "base64url" });
    return bytes.toBase64(BASE64URL) === given ? bytes : undefined;
  } catch {
    return undefined;
  }
};
