import type { Hash } from "../util/hmac.ts";

/** `raw`: the body as text, exactly as received. */
export type SignedRequest = {
  method: string;
  url: string;
  headers: Headers;
  raw: string;
  /** The path segment after the source's name, used as a secret. */
  token?: string;
};

/** A refusal. `message` names the fix and never contains the secret. */
export type SignatureRefusal = {
  code: "missing_signature" | "invalid_signature" | "stale_timestamp" | "source_not_configured" | "key_unavailable";
  message: string;
};

/** Times in Unix ms. */
export type FetchedText = { text?: string; at: number; failedAt?: number; fetchingAt?: number; waiting?: number };

export type VerifyContext = {
  /** Fetches public keys and confirms subscriptions, only at URLs that the scheme allows. */
  fetch(url: string): Promise<Response>;
  cache: Map<string, FetchedText>;
  sleep(ms: number): Promise<void>;
  /** Tolerance in seconds; replaces the scheme's. */
  tolerance?: number | undefined;
};

/**
 * Place of a value. `separator` splits a header, `name` selects entries `name=value`, `slice` selects by position.
 * `json`: dotted path.
 */
export type ValueLocation =
  | { header: string; separator?: string; name?: string; slice?: readonly [from: number, to?: number] }
  | { json: string }
  | { form: string; separator?: string }
  | { query: string };

export type SignedTime = {
  at: ValueLocation;
  unit: "s" | "ms" | "iso";
  /** Seconds. */
  tolerance: number;
  /** True accepts future times, as the vendor's library does. */
  future?: true;
};

type Signed = {
  signature: ValueLocation;
  prefix?: string;
  encoding: "hex" | "base64";
  /**
   * Templates of the signed content; any one is enough. Variables: `{body}`, `{timestamp}`, `{url}`, `{method}`,
   * names in `parts`, `{json}` (parsed and serialized), `{params}` (sorted form fields), `{urlWithPort}`,
   * `{urlWithoutPort}`.
   */
  content: readonly string[];
  timestamp?: SignedTime;
  parts?: Readonly<Record<string, ValueLocation>>;
  bodyHash?: ValueLocation;
};

/** `text`: UTF-8 bytes. `base64`, `hex`: decoded, without `whsec_`. `sha1`: SHA-1 of the part after the colon. */
export type KeyForm = "text" | "base64" | "hex" | "sha1";

/** An HMAC. `keyed: "before"`: a digest of secret and content (HubSpot's older signatures). */
export type HmacScheme = Signed & { kind: "hmac"; hash: Hash; key: readonly KeyForm[]; keyed?: "before" };

/** A signature by the provider's private key. The secret is the public key. */
export type PublicKeyScheme = Signed & {
  kind: "public key";
  algorithm: "Ed25519" | "ECDSA P-256";
  /** `raw hex`, `whpk_` (base64): the bare key. `spki`: a SubjectPublicKeyInfo in base64. */
  key: "raw hex" | "whpk_" | "spki";
  /** ECDSA format: DER, or r followed by s. */
  form?: "der" | "raw";
};

/** The request contains the secret in a header, as Basic credentials, or in the path. */
export type SharedScheme = {
  kind: "shared";
  headers?: readonly { header: string; prefix?: string }[];
  basic?: true;
  path?: true;
};

/**
 * A JSON Web Token. An https URL as secret holds public keys and allows only RSA, ECDSA and Ed25519. Other secrets
 * are HMAC keys, unless they look public.
 */
export type JwtScheme = {
  kind: "jwt";
  at: ValueLocation | "body";
  prefix?: string;
  /** URL of the public keys, with `{secret}`; by default the secret. `x509`: certificates by key id. */
  keys?: { jwks: string } | { x509: string };
  bodyHash?: { claim: string; encoding: "hex" | "base64" };
  issuer?: string;
  /** Accepted host endings of the audience, with `{secret}`. The called URL is accepted too. */
  audience?: readonly string[];
  /** True refuses a token without an expiry time. */
  expires?: true;
};

/** Amazon SNS: an RSA signature. The secret is the topic's ARN. */
type SnsScheme = { kind: "sns" };

/** PayPal: an RSA signature. The secret is the webhook's id. */
type PayPalScheme = { kind: "paypal" };

/**
 * Signature scheme of a provider. `first`: the first scheme with all headers decides, so handlers read signed
 * headers. `any`: one accepting scheme is enough.
 */
export type Scheme =
  | HmacScheme
  | PublicKeyScheme
  | SharedScheme
  | JwtScheme
  | SnsScheme
  | PayPalScheme
  | { kind: "first"; of: readonly Scheme[] }
  | { kind: "any"; of: readonly Scheme[] };
