import { fromBase64, toBytes } from "../../util/hmac.ts";
import { publicKeyOf } from "./der.ts";
import { fromPem } from "./keys.ts";

/** Checks a base64 RSA signature (PKCS #1 v1.5) with the key of one PEM certificate. False for anything invalid. */
export const isSignedBy = async (
  pem: string,
  hash: "SHA-1" | "SHA-256",
  signature: string,
  content: string,
): Promise<boolean> => {
  try {
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
    const spki = publicKeyOf(fromPem(pem) ?? new Uint8Array());
    const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, key, fromBase64(signature) ?? new Uint8Array(), toBytes(content));
  } catch {
    return false;
  }
};
