import { fromBase64, toBase64 } from "../../../../lib/util/hmac.ts";

const encoder = new TextEncoder();

/** Octets. */
const NONCE = 12;

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
 * Encrypts a private key with AES-GCM.
 *
 * @param owner only this owner can open it, such as team and domain
 */
export const sealKey = async (pkcs8: Uint8Array, secret: string, owner: string): Promise<string> => {
  const { key, id } = await derive(secret);
  const iv = crypto.getRandomValues(new Uint8Array(NONCE));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(owner) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, pkcs8));
  return ["1", id, toBase64(iv), toBase64(sealed)].join(".");
};

/** Decrypts a key; undefined for a wrong secret, owner or changed data. */
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
