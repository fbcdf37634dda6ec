import type { Hash } from "../util/hmac.ts";

/** A request whose signature is checked. `raw`: the body as text, exactly as received. */
export type SignedRequest = {
  method: string;
  /** The URL that the sender called. */
  url: string;
  headers: Headers;
  raw: string;
  /** The path segment after the source's name: the secret of a provider that can send it nowhere else. */
  token?: string;
};

/** Why a request was refused. `message` says what to fix and never contains the secret. */
export type SignatureRefusal = {
  code: "missing_signature" | "invalid_signature" | "stale_timestamp" | "source_not_configured" | "key_unavailable";
  message: string;
};

/**
 * A text with public keys. Unix ms of: its last fetch (`at`), a failed one after it, one that has not ended yet, with the
 * number of requests that wait for it.
 */
export type FetchedText = { text?: string; at: number; failedAt?: number; fetchingAt?: number; waiting?: number };

/** What a check needs besides the request and the secrets. */
export type VerifyContext = {
  /** Fetches public keys and confirms subscriptions, only at URLs that the scheme allows. */
  fetch(url: string): Promise<Response>;
  /** Fetched texts by URL. */
  cache: Map<string, FetchedText>;
  sleep(ms: number): Promise<void>;
  /** The source's own tolerance for signed times in seconds; it replaces the scheme's. */
  tolerance?: number | undefined;
};

/**
 * Where to find a value in a request. A header may hold a list: `separator` splits it, `name` selects the entries
 * `name=value`, `slice` selects entries by position. `json` is a dotted path in the body.
 */
export type Place =
  | { header: string; separator?: string; name?: string; slice?: readonly [from: number, to?: number] }
  | { json: string }
  | { form: string; separator?: string }
  | { query: string };

/** Where the signing time is, in which unit, and how far it may differ from the clock. */
export type SignedTime = {
  at: Place;
  unit: "s" | "ms" | "iso";
  /** Seconds. */
  tolerance: number;
  /** True: times in the future are accepted, as in the vendor's own library. */
  future?: true;
};

/** Fields shared by HMAC and public-key schemes. */
type Signed = {
  signature: Place;
  /**
   * Prefix of each signature; entries without it are ignored. `{user}`: the part of the secret before its colon.
   */
  prefix?: string;
  encoding: "hex" | "base64";
  /**
   * Templates of the signed content; a signature of any one is accepted. Variables: `{body}`, `{timestamp}`,
   * `{url}`, `{method}`, each name in `parts`, `{json}` (the body parsed and serialized again), `{params}` (the form
   * fields, sorted), `{urlWithPort}` and `{urlWithoutPort}`.
   */
  content: readonly string[];
  timestamp?: SignedTime;
  parts?: Readonly<Record<string, Place>>;
  /** Where the request states the SHA-256 of its body in hex. For schemes whose signed content lacks the body. */
  bodyHash?: Place;
};

/**
 * How a secret becomes a key. `text`: its UTF-8 bytes. `base64`, `hex`: decoded, without `whsec_`. `sha1`: the SHA-1
 * of the part after the colon.
 */
export type KeyForm = "text" | "base64" | "hex" | "sha1";

/**
 * An HMAC of the content. `keyed: "before"`: a plain digest of the secret followed by the content instead (HubSpot's
 * older signatures).
 */
export type HmacScheme = Signed & { kind: "hmac"; hash: Hash; key: readonly KeyForm[]; keyed?: "before" };

/** A signature made with the provider's private key. The source's secret is the public key. */
export type PublicKeyScheme = Signed & {
  kind: "public key";
  algorithm: "Ed25519" | "ECDSA P-256";
  /** Format of the public key. `raw hex`, `whpk_` (base64): the bare key. `spki`: a SubjectPublicKeyInfo in base64. */
  key: "raw hex" | "whpk_" | "spki";
  /** Format of an ECDSA signature: DER, or the numbers r and s one after the other. */
  form?: "der" | "raw";
};

/** The request contains the secret itself: in one of these headers, as Basic credentials, or in the path. */
export type SharedScheme = {
  kind: "shared";
  headers?: readonly { header: string; prefix?: string }[];
  /** The secret is `user:password`. */
  basic?: true;
  path?: true;
};

/**
 * A JSON Web Token. `at: "body"`: the body is the token. The secret decides the algorithm, never the token: an https
 * URL is the location of public keys and allows RSA, ECDSA and Ed25519 only; any other secret is an HMAC key. A secret
 * that looks like a URL or a public key is refused as an HMAC key, because it is public.
 */
export type JwtScheme = {
  kind: "jwt";
  at: Place | "body";
  prefix?: string;
  /** URL of the public keys, with `{secret}`. Absent: the secret is the URL. `x509`: certificates by key id. */
  keys?: { jwks: string } | { x509: string };
  /** The claim that states the SHA-256 of the body. */
  bodyHash?: { claim: string; encoding: "hex" | "base64" };
  /** The required issuer, with `{secret}`. */
  issuer?: string;
  /** Endings of the host in the required audience, with `{secret}`. The URL that was called is accepted too. */
  audience?: readonly string[];
  /** True: a token without an expiry time is refused. */
  expires?: true;
};

/**
 * Amazon SNS: an RSA signature. Its certificate is fetched from SNS. The source's secret is the topic's ARN.
 */
type SnsScheme = { kind: "sns" };

/**
 * How a provider signs its webhooks: plain data, checked by `verifyWith`. `first`: the first scheme whose headers are
 * all present decides alone, so that a handler reads the headers that were signed. `any`: one accepting scheme is
 * enough.
 */
export type Scheme =
  | HmacScheme
  | PublicKeyScheme
  | SharedScheme
  | JwtScheme
  | SnsScheme
  | { kind: "first"; of: readonly Scheme[] }
  | { kind: "any"; of: readonly Scheme[] };
