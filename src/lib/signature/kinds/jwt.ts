import { digestBytes, fromBase64, type Hash, hmac, sameText, toBase64, toBytes, toHex } from "../../util/hmac.ts";
import { publicKeyOf } from "../parts/der.ts";
import { fetchText, fromPem } from "../parts/keys.ts";
import { valuesAt } from "../parts/places.ts";
import { mismatch, missing, notConfigured, refuse, stale, unavailable } from "../parts/refusal.ts";
import { isPrivateText, keysAddress } from "../parts/usable.ts";
import type { JwtScheme, Outside, SignatureRefusal, SignedRequest } from "../scheme.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Claims = Readonly<Record<string, unknown>>;
type Token = { header: Claims; claims: Claims; signed: string; signature: Bytes };

/** Seconds a token's own times may be off. */
const LEEWAY = 60;

const fromBase64Url = (text: string) => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));

const objectOf = (text: string | undefined): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text ?? "") ?? new Uint8Array()));
    return typeof value === "object" && value !== null ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
};

/** The parts of a compact JSON Web Token, nothing of which is proven yet; undefined where it is none (RFC 7515). */
const tokenOf = (text: string): Token | undefined => {
  const [head, body, tail, ...rest] = text.trim().split(".");
  const [header, claims, signature] = [objectOf(head), objectOf(body), fromBase64Url(tail ?? "")];
  return header && claims && signature && rest.length === 0
    ? { header, claims, signed: `${head}.${body}`, signature }
    : undefined;
};

const bits = (algorithm: unknown) => (/^(HS|RS|ES)(256|384|512)$/.exec(String(algorithm)) ?? [])[2];

const byKeyPair = async ({ header, signature, signed }: Token, format: "jwk" | "spki", key: JsonWebKey | Bytes) => {
  const { alg } = header;
  const hash = `SHA-${bits(alg)}`;
  const named =
    alg === "EdDSA"
      ? { name: "Ed25519" }
      : String(alg).startsWith("RS")
        ? { name: "RSASSA-PKCS1-v1_5", hash }
        : { name: "ECDSA", hash, namedCurve: alg === "ES384" ? "P-384" : "P-256" };
  try {
    const imported = await crypto.subtle.importKey(format as "jwk", key as JsonWebKey, named, false, ["verify"]);
    return await crypto.subtle.verify(named, imported, signature, toBytes(signed));
  } catch {
    return false;
  }
};

/** The keys at an address that the token may have been signed with: certificates by id, or JSON Web Keys. */
const keysIn = (text: string, { header }: Token, x509: boolean): (JsonWebKey | Bytes)[] => {
  try {
    const kid = String(header.kid);
    const parsed = JSON.parse(text);
    if (x509) {
      const certificate = Object.hasOwn(parsed, kid) ? fromPem(String(parsed[kid])) : undefined;
      return certificate ? [publicKeyOf(certificate)] : [];
    }
    const keys = parsed.keys as (JsonWebKey & { kid?: string; alg?: string })[];
    return keys
      .filter((key) => (header.kid === undefined || key.kid === kid) && (key.alg ?? header.alg) === header.alg)
      .map(({ kty, n, e, crv, x, y }) => JSON.parse(JSON.stringify({ kty, n, e, crv, x, y })) as JsonWebKey);
  } catch {
    return [];
  }
};

const signedByPair = async (token: Token, url: string, x509: boolean, now: number, outside: Outside) => {
  if (!(token.header.alg === "EdDSA" || /^(RS|ES)/.test(bits(token.header.alg) ? String(token.header.alg) : ""))) {
    return false;
  }
  for (const fresh of [false, true]) {
    const text = await fetchText(url, now, outside, fresh);
    if (text === undefined) return undefined;
    const keys = keysIn(text, token, x509);
    for (const key of keys) if (await byKeyPair(token, x509 ? "spki" : "jwk", key)) return true;
    if (keys.length > 0) return false;
  }
  return false;
};

const signedBySecret = async ({ header, signed, signature }: Token, secret: string) => {
  const size = bits(header.alg);
  if (!size || !String(header.alg).startsWith("HS")) return false;
  return sameText(toBase64(await hmac(toBytes(secret), signed, `SHA-${size}` as Hash)), toBase64(signature));
};

/** The bare domain of a secret that stands in an address. */
const domainOf = (secret: string) => secret.replace(/^https:\/\//i, "").replace(/\/+$/, "");

/** The address of the keys of a secret, or undefined where the secret is itself the key. */
const addressOf = ({ keys }: JwtScheme, secret: string): string | undefined => {
  if (!keys) return keysAddress(secret);
  return ("jwks" in keys ? keys.jwks : keys.x509).replace("{secret}", domainOf(secret));
};

/** Why a secret can be neither a key nor where keys are, or undefined where it can. */
const useless = ({ keys }: JwtScheme, secret: string): string | undefined => {
  if (!keys) {
    return keysAddress(secret) || isPrivateText(secret)
      ? undefined
      : "The secret is neither an https address of public keys nor a key: it looks like something that everybody can know.";
  }
  return !("jwks" in keys) || /^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(domainOf(secret))
    ? undefined
    : "The secret has to be a domain, as https://example.com.";
};

const bodyMatches = async (claims: Claims, raw: string, { claim, encoding }: NonNullable<JwtScheme["bodyHash"]>) => {
  const digest = await digestBytes(raw);
  return sameText(String(claims[claim]), encoding === "hex" ? toHex(digest) : toBase64(digest));
};

/** Checks a JSON Web Token; see `JwtScheme`. The secret decides which algorithms count, never the token. */
export const verifyJwt = async (
  scheme: JwtScheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  outside: Outside,
): Promise<SignatureRefusal | undefined> => {
  const given = secrets.map((secret) => secret.trim()).filter(Boolean);
  if (given.length === 0) return notConfigured(0, "a text");
  const reasons = given.map((secret) => useless(scheme, secret));
  const known = given.filter((_, i) => reasons[i] === undefined);
  if (known.length === 0) return refuse("source_not_configured", reasons[0] ?? "");
  const text = scheme.at === "body" ? request.raw : valuesAt(request, scheme.at)[0];
  if (!text) {
    return scheme.at !== "body" && "header" in scheme.at
      ? missing([scheme.at.header])
      : missing(["JSON Web Token"], "signature");
  }
  const { prefix = "" } = scheme;
  const token = text.startsWith(prefix) ? tokenOf(text.slice(prefix.length)) : undefined;
  if (!token) return refuse("invalid_signature", "The signature is not a JSON Web Token.");

  const proven: string[] = [];
  let failed: string | undefined;
  for (const secret of known) {
    const url = addressOf(scheme, secret);
    const x509 = scheme.keys !== undefined && "x509" in scheme.keys;
    const good = url ? await signedByPair(token, url, x509, now, outside) : await signedBySecret(token, secret);
    if (good) proven.push(secret);
    if (good === undefined) failed = url;
  }
  if (proven.length === 0) return failed ? unavailable(failed) : mismatch();
  if (scheme.bodyHash && !(await bodyMatches(token.claims, request.raw, scheme.bodyHash))) return mismatch();
  const { issuer } = scheme;
  if (issuer && !proven.some((secret) => token.claims.iss === issuer.replace("{secret}", secret))) {
    return refuse("invalid_signature", "The token was issued for another project.");
  }
  const { exp, nbf } = token.claims;
  const at = Math.floor(now / 1000);
  if (typeof exp === "number" && at > exp + LEEWAY) return stale(at - exp, LEEWAY);
  return typeof nbf === "number" && at < nbf - LEEWAY ? stale(at - nbf, LEEWAY) : undefined;
};
