import type { HmacScheme, Place, Scheme, SharedScheme } from "./scheme.ts";
import { chooseHeaders } from "./verify.ts";

/** Seconds that a signed time may differ from the clock. Most vendors' own libraries use this value. */
export const TOLERANCE_S = 300;

/** The most common scheme: HMAC-SHA256 of the body, in hex. `more` overrides single fields. */
export const hmacOfBody = (header: string, more: Partial<HmacScheme> = {}): HmacScheme => ({
  kind: "hmac",
  hash: "SHA-256",
  key: ["text"],
  encoding: "hex",
  signature: { header },
  content: ["{body}"],
  ...more,
});

/** Stripe's scheme, used by others too: `<header>: t=<time>,v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`. */
export const timedHmac = (
  header: string,
  unit: "s" | "ms" = "s",
  more: Partial<HmacScheme> & { names?: readonly [time: string, signature: string]; separator?: string } = {},
): HmacScheme => {
  const { names = ["t", "v1"], separator = ",", ...rest } = more;
  const at = (name: string): Place => ({ header, separator, name });
  return {
    ...hmacOfBody(header),
    signature: at(names[1]),
    content: ["{timestamp}.{body}"],
    timestamp: { at: at(names[0]), unit, tolerance: TOLERANCE_S },
    ...rest,
  };
};

/** The header names of a Standard Webhooks sender: `webhook-id` …, or `svix-id` … from Svix. */
export type HeaderPrefix = "webhook" | "svix";

const standardNames = (prefix: HeaderPrefix) => [`${prefix}-id`, `${prefix}-timestamp`, `${prefix}-signature`] as const;

/**
 * Standard Webhooks: signatures of `<id>.<timestamp>.<body>`, separated by spaces. `v1,<base64>` is an HMAC-SHA256;
 * `v1a,<base64>` is Ed25519, where the secret is a public key (`whpk_<base64>`). The timestamp may be 300 s off in
 * both directions.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const standard = (prefixes: readonly HeaderPrefix[], key: HmacScheme["key"] = ["base64"]): Scheme => ({
  kind: "first",
  of: prefixes.map((prefix) => {
    const [id, timestamp, signature] = standardNames(prefix);
    const signed = {
      signature: { header: signature, separator: " " },
      encoding: "base64",
      content: ["{id}.{timestamp}.{body}"],
      parts: { id: { header: id } },
      timestamp: { at: { header: timestamp }, unit: "s", tolerance: TOLERANCE_S },
    } as const;
    return {
      kind: "any",
      of: [
        { ...signed, kind: "hmac", hash: "SHA-256", key, prefix: "v1," },
        { ...signed, kind: "public key", algorithm: "Ed25519", key: "whpk_", prefix: "v1a," },
      ],
    };
  }),
});

/**
 * Reads the id and timestamp of a Standard Webhooks request from the headers that `standard` checks with the same
 * prefixes, so that a handler reads the id that was signed.
 */
export const readStandardHeaders = (headers: Headers, prefixes: readonly HeaderPrefix[]) => {
  const sets = prefixes.map(standardNames);
  const [id = "", timestamp = ""] = sets[chooseHeaders(sets, headers)] ?? [];
  return { id: headers.get(id) || undefined, timestamp: headers.get(timestamp) || undefined };
};

/**
 * For providers that sign nothing and send the secret itself: in `Authorization` (bare or after `Bearer `), in
 * `X-Api-Key` or `X-Webhook-Secret`, or as Basic credentials `user:password`.
 */
export const sharedSecret: SharedScheme = {
  kind: "shared",
  headers: [
    { header: "Authorization", prefix: "Bearer " },
    { header: "Authorization" },
    { header: "X-Api-Key" },
    { header: "X-Webhook-Secret" },
  ],
  basic: true,
};
