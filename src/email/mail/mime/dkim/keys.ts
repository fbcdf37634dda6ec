import { toBase64 } from "../../../../lib/util/hmac.ts";

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** RFC 8301 section 3.2 wants 2048 bits at least; a longer key does not fit well into DNS. */
const BITS = 2048;

/** `pkcs8`: the private key, DER. `publicKey`: the value of `p=` in the DNS record. */
export type DkimKey = { pkcs8: Uint8Array; publicKey: string };

/** A new RSA key for one domain and selector. */
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

/** A private key for `signMessage`. Import it once: it takes a third as long as a signature. */
export const importSigningKey = (pkcs8: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
