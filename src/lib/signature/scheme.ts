import type { Hash } from "../util/hmac.ts";

/** A request as schemes see it. `raw`: the body as text, exactly as it came. */
export type SignedRequest = {
  method: string;
  /** The address as the sender used it. */
  url: string;
  headers: Headers;
  raw: string;
  /** What follows the source's name in the path, where a provider can prove itself no other way. */
  token?: string;
};

/** Why a signature was refused. `message` says what to mend and holds nothing of the secret. */
export type SignatureRefusal = {
  code: "missing_signature" | "invalid_signature" | "stale_timestamp" | "source_not_configured" | "key_unavailable";
  message: string;
};

/** What checking a signature needs of its surroundings. */
export type Outside = {
  /** For public keys and confirmations only, at addresses that a scheme has pinned. */
  fetch(url: string): Promise<Response>;
  /** Texts that were fetched, by address, with the Unix ms of the fetch. */
  cache: Map<string, { text: string; at: number }>;
  /** Seconds a signed time may be off, where a source sets its own. */
  tolerance?: number | undefined;
};

/**
 * Where a value stands in a request. A header may hold a list: `separator` splits it, and `name` takes the entries
 * `name=value`, `slice` those from one place (to another). `json` is a dotted path in the body.
 */
export type Place =
  | { header: string; separator?: string; name?: string; slice?: readonly [from: number, to?: number] }
  | { json: string }
  | { form: string; separator?: string }
  | { query: string };

/** When a request was signed, in seconds, milliseconds or ISO 8601, and how far from the clock that may be. */
export type SignedTime = {
  at: Place;
  unit: "s" | "ms" | "iso";
  /** Seconds. */
  tolerance: number;
  /** True where only an old time is refused, as the vendor's own library does. */
  future?: true;
};

/** What signatures by a secret and by a key pair have in common. */
type Signed = {
  signature: Place;
  /**
   * What stands before each signature; an entry without it does not count. `{user}`: the part of the secret before its
   * colon.
   */
  prefix?: string;
  encoding: "hex" | "base64";
  /**
   * What was signed, with `{body}`, `{timestamp}`, `{url}`, `{method}` and the names of `parts`; of several, any. Also
   * `{json}`, the body serialised again, `{params}`, the sorted form fields, and `{urlWithPort}`, `{urlWithoutPort}`.
   */
  content: readonly string[];
  timestamp?: SignedTime;
  parts?: Readonly<Record<string, Place>>;
  /** A place that must hold the SHA-256 of the body in hex, where the content does not cover the body. */
  bodyHash?: Place;
};

/**
 * How a secret becomes a key. `text`: its bytes; `base64`: what follows `whsec_`, decoded; `sha1`: the SHA-1 of the
 * part after the colon.
 */
export type KeyForm = "text" | "base64" | "hex" | "sha1";

/**
 * A keyed hash over the content. `keyed: "before"`: a plain digest of the secret and then the content (HubSpot's old
 * ones).
 */
export type HmacScheme = Signed & { kind: "hmac"; hash: Hash; key: readonly KeyForm[]; keyed?: "before" };

/** A signature by the provider's key pair; the source's secret is the public key. */
export type PublicKeyScheme = Signed & {
  kind: "public key";
  algorithm: "Ed25519" | "ECDSA P-256";
  /** `raw hex` and `whpk_` (base64) hold the bare key, `spki` a base64 SubjectPublicKeyInfo. */
  key: "raw hex" | "whpk_" | "spki";
  /** ECDSA signatures come as DER or as the two numbers side by side. */
  form?: "der" | "raw";
};

/** The secret itself stands in the request: in one of these headers, as the password of Basic, or in the path. */
export type SharedScheme = {
  kind: "shared";
  headers?: readonly { header: string; prefix?: string }[];
  /** The secret is `user:password`. */
  basic?: true;
  path?: true;
};

/**
 * A JSON Web Token. `at: "body"`: the body is the token. A secret that is an https address is where the keys are and
 * may only have signed with its key pair; any other secret is an HMAC key, unless it looks like an address or a public
 * key, which everybody can know: the token never chooses.
 */
export type JwtScheme = {
  kind: "jwt";
  at: Place | "body";
  prefix?: string;
  /** Where the keys are, with `{secret}`; else the secret says. `x509`: certificates by key id. */
  keys?: { jwks: string } | { x509: string };
  /** A claim that must hold the SHA-256 of the body. */
  bodyHash?: { claim: string; encoding: "hex" | "base64" };
  /** What the issuer has to be, with `{secret}`. */
  issuer?: string;
};

/**
 * Amazon SNS: an RSA signature whose certificate is fetched from SNS itself. The source's secret is the topic's ARN.
 */
type SnsScheme = { kind: "sns" };

/**
 * How a provider proves a webhook to be its own: plain data, checked by `verifyWith`. `first`: the first alternative
 * whose headers are all there decides, so that what is read is what was signed. `any`: one that accepts is enough.
 */
export type Scheme =
  | HmacScheme
  | PublicKeyScheme
  | SharedScheme
  | JwtScheme
  | SnsScheme
  | { kind: "first"; of: readonly Scheme[] }
  | { kind: "any"; of: readonly Scheme[] };
