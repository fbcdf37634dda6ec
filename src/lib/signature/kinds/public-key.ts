import { fromBase64, fromHex, toBytes } from "../../util/hmac.ts";
import { ecdsaFromDer } from "../parts/der.ts";
import { mismatch, notConfigured, refuse } from "../parts/refusal.ts";
import { checkBodyAndTime, noSignature, readSignedParts, withoutPrefix } from "../parts/signed.ts";
import type { PublicKeyScheme, SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const FORMS = {
  "raw hex": "a public key in hex digits",
  whpk_: "whpk_<base64>",
  spki: "a public key in base64",
} as const;

const bytesOf = (given: string, form: PublicKeyScheme["key"]): Bytes | undefined => {
  const secret = given.trim();
  if (form === "raw hex") return fromHex(secret);
  if (form === "whpk_" && !secret.startsWith("whpk_")) return undefined;
  return fromBase64(secret.replace(/^whpk_/, ""));
};

const imported = async (bytes: Bytes, { algorithm, key }: PublicKeyScheme): Promise<CryptoKey | undefined> => {
  const form = key === "spki" ? "spki" : "raw";
  const named = algorithm === "Ed25519" ? { name: "Ed25519" } : { name: "ECDSA", namedCurve: "P-256" };
  try {
    return await crypto.subtle.importKey(form, bytes, named, false, ["verify"]);
  } catch {
    return undefined;
  }
};

const verifyOne = (key: CryptoKey, algorithm: PublicKeyScheme["algorithm"], signature: Bytes, content: string) => {
  const named = algorithm === "Ed25519" ? { name: "Ed25519" } : { name: "ECDSA", hash: "SHA-256" };
  return crypto.subtle.verify(named, key, signature, toBytes(content)).catch(() => false);
};

export const verifyPublicKey = async (
  scheme: PublicKeyScheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  const keys = await Promise.all(
    secrets.flatMap((secret) => {
      const bytes = bytesOf(secret, scheme.key);
      return bytes?.length ? [imported(bytes, scheme)] : [];
    }),
  );
  const usable = keys.filter((key) => key !== undefined);
  if (usable.length === 0) return notConfigured(secrets.length, FORMS[scheme.key]);
  const signed = readSignedParts(scheme, request);
  if ("code" in signed) return signed;
  const signatures = withoutPrefix(signed.signatures, scheme.prefix ?? "");
  if (signatures.length === 0) return refuse("invalid_signature", noSignature(scheme));

  let matched = false;
  for (const text of signatures) {
    const bytes = scheme.encoding === "hex" ? fromHex(text) : fromBase64(text);
    const signature = bytes && scheme.form === "der" ? ecdsaFromDer(bytes, 32) : bytes;
    if (!signature) continue;
    for (const key of usable)
      for (const content of signed.contents)
        if (await verifyOne(key, scheme.algorithm, signature, content)) matched = true;
  }
  return matched ? checkBodyAndTime(scheme, request, signed.signedAt, now, context.tolerance) : mismatch();
};
