import { toBase64 } from "../../../../lib/util/hmac.ts";

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** RFC 8301 section 3.2 minimum; longer keys fit badly in DNS. */
const BITS = 2048;

/** `pkcs8`: private DER. `publicKey`: `p=` in DNS. */
export type DkimKey = { pkcs8: Uint8Array; publicKey: string };

export const generateDkimKey = async (): Promise<DkimKey> => {
  const algorithm = { ...ALGORITHM, modulusLength: BITS, publicExponent: new Uint8Array([1, 0, 1]) };
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", publicKey)) as ArrayBuffer);
  return {
    pkcs8: new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer),
    publicKey: toBase64(spki),
  };
};

/** Imports a private key once; this takes a third of a signature's time. */
export const importSigningKey = (pkcs8: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
