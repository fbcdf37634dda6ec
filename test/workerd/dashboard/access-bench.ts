import type { AccessContext } from "../../../src/dashboard/worker/access.ts";
import { START } from "./bench.ts";

export const ACCESS = { ACCESS_TEAM: "acme", ACCESS_AUD: "aud-of-the-dashboard" };
const ISSUER = "https://acme.cloudflareaccess.com";
export const SECONDS = START / 1_000;

const encode = (value: object) =>
  new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
const bytesToText = (bytes: ArrayBuffer) =>
  new Uint8Array(bytes).toBase64({ alphabet: "base64url", omitPadding: true });

const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const keyPair = async () => (await crypto.subtle.generateKey(RSA, true, ["sign", "verify"])) as CryptoKeyPair;

/** A team of Cloudflare Access, with published keys and an unpublished one. */
export const accessTeam = async () => {
  const [own, foreign] = await Promise.all([keyPair(), keyPair()]);
  const jwk = (await crypto.subtle.exportKey("jwk", own.publicKey)) as JsonWebKey;
  const fetched: string[] = [];
  const context: AccessContext = {
    fetch: async (url) => {
      fetched.push(String(url));
      return Response.json({ keys: [{ ...jwk, kid: "k1", alg: "RS256", use: "sig" }] });
    },
    sleep: async () => {},
    cache: new Map(),
  };
  const claims = { iss: ISSUER, aud: [ACCESS.ACCESS_AUD], email: "Ada@Example.com", sub: "u1", type: "app" };
  const times = { iat: SECONDS, nbf: SECONDS, exp: SECONDS + 86_400 };
  const signedWith = async (key: CryptoKey, header: object, body: object) => {
    const text = `${encode(header)}.${encode(body)}`;
    return `${text}.${bytesToText(await crypto.subtle.sign(key.algorithm.name, key, new TextEncoder().encode(text)))}`;
  };
  const hmacKey = () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  };
  return {
    context,
    fetched,
    /** An assertion as Cloudflare Access signs it. `changes` replace claims, and undefined removes one. */
    assertion: (changes: object = {}, header: object = {}) =>
      signedWith(own.privateKey, { alg: "RS256", kid: "k1", ...header }, { ...claims, ...times, ...changes }),
    foreign: () => signedWith(foreign.privateKey, { alg: "RS256", kid: "k1" }, { ...claims, ...times }),
    unsigned: async () => `${encode({ alg: "none", kid: "k1" })}.${encode({ ...claims, ...times })}.`,
    byPublicKey: async () => signedWith(await hmacKey(), { alg: "HS256", kid: "k1" }, { ...claims, ...times }),
  };
};

export const accessHeader = (assertion: string) => ({ "Cf-Access-Jwt-Assertion": assertion });
