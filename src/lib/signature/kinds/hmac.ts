import {
  digestBytes,
  fromBase64,
  fromHex,
  type Hash,
  hmac,
  sameMac,
  toBase64,
  toBytes,
  toHex,
} from "../../util/hmac.ts";
import { remember } from "../../util/remember.ts";
import { mismatch, notConfigured, refuse } from "../parts/refusal.ts";
import { checkBodyAndTime, noSignature, readSignedParts, withoutPrefix } from "../parts/signed.ts";
import { isBarePrefix, isPublicKey } from "../parts/usable.ts";
import type { HmacScheme, KeyForm, SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

/** `user`: the part of a `user:key` secret before its colon. */
type Key = { bytes: Uint8Array<ArrayBuffer>; user: string };

const FORMS: Readonly<Record<KeyForm, string>> = {
  text: "a secret with more than its prefix",
  base64: "whsec_<base64>",
  hex: "hex digits",
  sha1: "<public key>:<private key>",
};

const keyOf = async (given: string, form: KeyForm): Promise<Key | undefined> => {
  const secret = given.trim();
  const colon = secret.indexOf(":");
  const user = form === "sha1" ? secret.slice(0, colon).trim() : "";
  // An empty private key would give the SHA-1 of nothing: a key that anyone can compute.
  if (form === "sha1" && (colon < 1 || !user || !secret.slice(colon + 1).trim())) return undefined;
  if (form === "text" && (isBarePrefix(secret) || isPublicKey(secret))) return undefined;
  const bytes =
    form === "text"
      ? toBytes(secret)
      : form === "sha1"
        ? await digestBytes(secret.slice(colon + 1), "SHA-1")
        : form === "hex"
          ? fromHex(secret)
          : fromBase64(secret.replace(/^(v1,)?(whsec_)?/, ""));
  return bytes?.length ? { bytes, user } : undefined;
};

export const hmacKeysOf = (secrets: readonly string[], forms: readonly KeyForm[]): Promise<Key[]> =>
  cachedKeysOf(forms.join(" "), ...secrets);

const cachedKeysOf = remember(async (forms: string, ...secrets: readonly string[]): Promise<Key[]> => {
  const keys = secrets.flatMap((secret) => forms.split(" ").map((form) => keyOf(secret, form as KeyForm)));
  return (await Promise.all(keys)).filter((key) => key !== undefined);
}, 50);

export const mac = (
  key: Uint8Array<ArrayBuffer>,
  content: string,
  { hash, keyed }: { hash: Hash; keyed?: "before" },
): Promise<Uint8Array> =>
  keyed ? digestBytes(new TextDecoder().decode(key) + content, hash) : hmac(key, content, hash);

/** Checks an HMAC; see `HmacScheme`. Tries every combination, so that timing reveals nothing. */
export const verifyHmac = async (
  scheme: HmacScheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  const keys = await hmacKeysOf(secrets, scheme.key);
  if (keys.length === 0) return notConfigured(secrets.length, FORMS[scheme.key[0] ?? "text"]);
  const signed = readSignedParts(scheme, request);
  if ("code" in signed) return signed;

  let [offered, matched] = [0, false];
  for (const { bytes, user } of keys) {
    const signatures = withoutPrefix(signed.signatures, (scheme.prefix ?? "").replace("{user}", user));
    offered += signatures.length;
    for (const content of signed.contents) {
      const expected = await mac(bytes, content, scheme);
      // Vendors compare the encoded texts. Decoding first would also accept other spellings of the same bytes.
      const text = scheme.encoding === "hex" ? toHex(expected) : toBase64(expected);
      for (const signature of signatures) if (sameMac(text, signature)) matched = true;
    }
  }
  if (offered === 0) return refuse("invalid_signature", noSignature(scheme));
  return matched ? checkBodyAndTime(scheme, request, signed.signedAt, now, context.tolerance) : mismatch();
};
