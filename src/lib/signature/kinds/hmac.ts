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
import { afterwards, noSignature, offerOf, withoutPrefix } from "../parts/signed.ts";
import { isBarePrefix, isPublicKey } from "../parts/usable.ts";
import type { HmacScheme, KeyForm, Outside, SignatureRefusal, SignedRequest } from "../scheme.ts";

/** A key, and what stands before the colon of a secret that is a pair. */
type Key = { bytes: Uint8Array<ArrayBuffer>; user: string };

const FORMS: Readonly<Record<KeyForm, string>> = {
  text: "a text that is more than its prefix",
  base64: "whsec_<base64>",
  hex: "hex digits",
  sha1: "<public key>:<private key>",
};

/** The key a secret gives in one form; undefined where it has not that form, or where everybody can know it. */
const keyOf = async (given: string, form: KeyForm): Promise<Key | undefined> => {
  const secret = given.trim();
  const colon = secret.indexOf(":");
  const user = form === "sha1" ? secret.slice(0, colon).trim() : "";
  // The SHA-1 of nothing would be a key, and one that everybody knows.
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

/** Every key that the secrets give in the forms of a scheme. */
export const keysOf = async (secrets: readonly string[], forms: readonly KeyForm[]): Promise<Key[]> => {
  const keys = await Promise.all(secrets.flatMap((secret) => forms.map((form) => kept(secret, form))));
  return keys.filter((key) => key !== undefined);
};

/** The same few secrets come with every webhook. */
const kept = remember((secret: string, form: string) => keyOf(secret, form as KeyForm), 50);

/** The keyed hash of a content. */
export const mac = async (
  key: Uint8Array<ArrayBuffer>,
  content: string,
  { hash, keyed }: { hash: Hash; keyed?: "before" },
): Promise<Uint8Array> =>
  keyed ? digestBytes(new TextDecoder().decode(key) + content, hash) : hmac(key, content, hash);

/** Checks an HMAC; see `HmacScheme`. Every key is tried on every content and signature, without an early end. */
export const verifyHmac = async (
  scheme: HmacScheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  outside: Outside,
): Promise<SignatureRefusal | undefined> => {
  const keys = await keysOf(secrets, scheme.key);
  if (keys.length === 0) return notConfigured(secrets.length, FORMS[scheme.key[0] ?? "text"]);
  const offer = offerOf(scheme, request);
  if ("code" in offer) return offer;

  let [offered, matched] = [0, false];
  for (const { bytes, user } of keys) {
    const signatures = withoutPrefix(offer.signatures, (scheme.prefix ?? "").replace("{user}", user));
    offered += signatures.length;
    for (const content of offer.contents) {
      const expected = await mac(bytes, content, scheme);
      // The encoded texts are compared, as the vendors do: a decoder would also take other spellings of the same bytes.
      const text = scheme.encoding === "hex" ? toHex(expected) : toBase64(expected);
      for (const signature of signatures) if (sameMac(text, signature)) matched = true;
    }
  }
  if (offered === 0) return refuse("invalid_signature", noSignature(scheme));
  return matched ? afterwards(scheme, request, offer.signedAt, now, outside.tolerance) : mismatch();
};
