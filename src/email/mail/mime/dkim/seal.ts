import { fromBase64, toBase64 } from "../../../../lib/util/hmac.ts";

const encoder = new TextEncoder();

/** Octets of the nonce of AES-GCM. */
const NONCE = 12;

/** Two keys from one secret, which may be any text: one that encrypts, and the id under which a sealed key names it. */
const derive = async (secret: string): Promise<{ key: CryptoKey; id: string }> => {
  const base = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey", "deriveBits"]);
  const from = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: encoder.encode(`mailspan dkim ${info}`),
  });
  const key = await crypto.subtle.deriveKey(from("key"), base, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const id = new Uint8Array(await crypto.subtle.deriveBits(from("id"), base, 64));
  return { key, id: toBase64(id) };
};

/**
 * Encrypts a private key for storage, with AES-GCM.
 *
 * @param secret DKIM_KEY_SECRET
 * @param owner to whom the key belongs, such as team and domain: `openKey` gives it to no other
 */
export const sealKey = async (pkcs8: Uint8Array, secret: string, owner: string): Promise<string> => {
  const { key, id } = await derive(secret);
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(owner) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, pkcs8));
  return ["1", id, toBase64(iv), toBase64(sealed)].join(".");
};

/**
 * Decrypts a sealed key. Undefined when no secret fits, when it belongs to another owner, or when it was changed.
 *
 * @param secrets the present one and former ones, so that a new secret does not lock out stored keys
 */
export const openKey = async (
  sealed: string,
  secrets: readonly string[],
  owner: string,
): Promise<Uint8Array | undefined> => {
  const [version, id, iv = "", data = ""] = sealed.split(".");
  const derived = await Promise.all(secrets.map(derive));
  const found = derived.find((one) => one.id === id);
  if (version !== "1" || !found) return undefined;
  const [nonce, encrypted] = [fromBase64(iv), fromBase64(data)];
  if (!nonce || !encrypted) return undefined;
  try {
    const algorithm = { name: "AES-GCM", iv: nonce, additionalData: encoder.encode(owner) };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, found.key, encrypted));
  } catch {
    return undefined;
  }
};
