import {
  type CryptoKey,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importX509,
  type JWSHeaderParameters,
  type JWTPayload,
} from "jose";
import { digestBytes, sameText, toBase64, toBytes, toHex } from "../../util/hmac.ts";
import { fetchText } from "../parts/keys.ts";
import { mismatch, missing, notConfigured, refuse, stale, unavailable } from "../parts/refusal.ts";
import { isPrivateText, keysUrl } from "../parts/usable.ts";
import { valuesAt } from "../parts/values-at.ts";
import type { JwtScheme, SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

const SECRET_ALGORITHMS = ["HS256", "HS384", "HS512"];
const KEY_ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Seconds of clock difference that `exp` and `nbf` allow. */
const LEEWAY = 60;

type Token = { text: string; header: JWSHeaderParameters; claims: JWTPayload };

/** The token is still unverified. */
const tokenOf = (text: string): Token | undefined => {
  try {
    return { text, header: decodeProtectedHeader(text), claims: decodeJwt(text) };
  } catch {
    return undefined;
  }
};

/** Claims of a token already accepted by `verifyJwt`. */
export const claimsOf = (text: string): JWTPayload | undefined => tokenOf(text.trim())?.claims;

const isSigned = ({ text }: Token, key: CryptoKey | Uint8Array, algorithms: string[]): Promise<boolean> =>
  compactVerify(text, key, { algorithms }).then(
    () => true,
    () => false,
  );

const keysIn = async (text: string, { header }: Token, x509: boolean): Promise<CryptoKey[]> => {
  try {
    const parsed = JSON.parse(text);
    if (!x509) return [await createLocalJWKSet(parsed)(header)];
    const kid = String(header.kid);
    return Object.hasOwn(parsed, kid) ? [await importX509(String(parsed[kid]), String(header.alg))] : [];
  } catch (error) {
    const keys: CryptoKey[] = [];
    if (error instanceof errors.JWKSMultipleMatchingKeys) for await (const key of error) keys.push(key);
    return keys;
  }
};

const signedByPair = async (token: Token, url: string, x509: boolean, now: number, context: VerifyContext) => {
  if (!KEY_ALGORITHMS.includes(String(token.header.alg))) return false;
  for (const fresh of [false, true]) {
    const text = await fetchText(url, now, context, fresh);
    if (text === undefined) return undefined;
    const keys = await keysIn(text, token, x509);
    for (const key of keys) if (await isSigned(token, key, KEY_ALGORITHMS)) return true;
    if (keys.length > 0) return false;
  }
  return false;
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

const bodyMatches = async (
  claims: JWTPayload,
  raw: string,
  { claim, encoding }: NonNullable<JwtScheme["bodyHash"]>,
) => {
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
const checkTimes = ({ exp, nbf }: JWTPayload, required: boolean, at: number): SignatureRefusal | undefined => {
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
  const token = text.startsWith(prefix) ? tokenOf(text.slice(prefix.length).trim()) : undefined;
  if (!token) return refuse("invalid_signature", "The signature is not a JSON Web Token.");

  const proven: string[] = [];
  let failed: string | undefined;
  for (const secret of known) {
    const url = addressOf(scheme, secret);
    const x509 = scheme.keys !== undefined && "x509" in scheme.keys;
    const good = url
      ? await signedByPair(token, url, x509, now, context)
      : await isSigned(token, toBytes(secret), SECRET_ALGORITHMS);
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
