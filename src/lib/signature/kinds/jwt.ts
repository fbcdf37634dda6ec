import { digestBytes, fromBase64, type Hash, hmac, sameText, toBase64, toBytes, toHex } from "../../util/hmac.ts";
import { publicKeyOf } from "../parts/der.ts";
import { fetchText, fromPem } from "../parts/keys.ts";
import { valuesAt } from "../parts/places.ts";
import { mismatch, missing, notConfigured, refuse, stale, unavailable } from "../parts/refusal.ts";
import { isPrivateText, keysUrl } from "../parts/usable.ts";
import type { JwtScheme, SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Claims = Readonly<Record<string, unknown>>;
type Token = { header: Claims; claims: Claims; signed: string; signature: Bytes };

/** Seconds of clock difference that `exp` and `nbf` allow. */
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

/** RFC 7515; still unverified. */
const tokenOf = (text: string): Token | undefined => {
  const [head, body, tail, ...rest] = text.trim().split(".");
  const [header, claims, signature] = [objectOf(head), objectOf(body), fromBase64Url(tail ?? "")];
  return header && claims && signature && rest.length === 0
    ? { header, claims, signed: `${head}.${body}`, signature }
    : undefined;
};

/** Claims of a token already accepted by `verifyJwt`. */
export const claimsOf = (text: string): Claims | undefined => tokenOf(text)?.claims;

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

const signedByPair = async (token: Token, url: string, x509: boolean, now: number, context: VerifyContext) => {
  if (!(token.header.alg === "EdDSA" || /^(RS|ES)/.test(bits(token.header.alg) ? String(token.header.alg) : ""))) {
    return false;
  }
  for (const fresh of [false, true]) {
    const text = await fetchText(url, now, context, fresh);
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

const domainOf = (secret: string) => secret.replace(/^https:\/\//i, "").replace(/\/+$/, "");

const addressOf = ({ keys }: JwtScheme, secret: string): string | undefined => {
  if (!keys) return keysUrl(secret);
  return ("jwks" in keys ? keys.jwks : keys.x509).replace("{secret}", domainOf(secret));
};

const unusableReason = ({ keys }: JwtScheme, secret: string): string | undefined => {
  if (!keys) {
    return keysUrl(secret) || isPrivateText(secret)
      ? undefined
      : "The secret is neither an https URL of public keys nor a private key: it looks like something public.";
  }
  return !("jwks" in keys) || /^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(domainOf(secret))
    ? undefined
    : "The secret must be a domain such as https://example.com.";
};

const bodyMatches = async (claims: Claims, raw: string, { claim, encoding }: NonNullable<JwtScheme["bodyHash"]>) => {
  const digest = await digestBytes(raw);
  return sameText(String(claims[claim]), encoding === "hex" ? toHex(digest) : toBase64(digest));
};

const isFor = (aud: unknown, endings: readonly string[], secret: string, url: string): boolean => {
  const [called] = url.split("?");
  return [aud].flat().some((one) => {
    if (typeof one !== "string" || !URL.canParse(one)) return false;
    const { host } = new URL(one);
    return one.split("?")[0] === called || endings.some((ending) => host.endsWith(ending.replace("{secret}", secret)));
  });
};

/** @param at Unix seconds */
const checkTimes = ({ exp, nbf }: Claims, required: boolean, at: number): SignatureRefusal | undefined => {
  const times = [exp, nbf].filter((time) => time !== undefined);
  if (!times.every((time) => typeof time === "number" && Number.isFinite(time)) || (required && exp === undefined)) {
    return refuse("invalid_signature", "The token has no valid expiry time.");
  }
  if (typeof exp === "number" && at > exp + LEEWAY) return stale(at - exp, LEEWAY);
  return typeof nbf === "number" && at < nbf - LEEWAY ? stale(at - nbf, LEEWAY) : undefined;
};

/** Checks a JSON Web Token; see `JwtScheme`. The secret decides the allowed algorithms, never the token. */
export const verifyJwt = async (
  scheme: JwtScheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  const given = secrets.map((secret) => secret.trim()).filter(Boolean);
  if (given.length === 0) return notConfigured(0, "a domain, a URL of public keys or an HMAC key");
  const reasons = given.map((secret) => unusableReason(scheme, secret));
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
    const good = url ? await signedByPair(token, url, x509, now, context) : await signedBySecret(token, secret);
    if (good) proven.push(secret);
    if (good === undefined) failed = url;
  }
  if (proven.length === 0) return failed ? unavailable(failed) : mismatch();
  if (scheme.bodyHash && !(await bodyMatches(token.claims, request.raw, scheme.bodyHash))) return mismatch();
  const { issuer } = scheme;
  if (issuer && !proven.some((secret) => token.claims.iss === issuer.replace("{secret}", secret))) {
    return refuse("invalid_signature", "The token was issued for another project.");
  }
  const { audience } = scheme;
  if (audience && !proven.some((secret) => isFor(token.claims.aud, audience, secret, request.url))) {
    return refuse("invalid_signature", "The token was issued for another receiver.");
  }
  return checkTimes(token.claims, scheme.expires ?? false, Math.floor(now / 1000));
};
