import type { HmacScheme, Scheme, SharedScheme, ValueLocation } from "./scheme.ts";
import { chooseHeaders } from "./verify.ts";

/** Seconds, as in most vendors' libraries. */
export const TOLERANCE_S = 300;

/** HMAC-SHA256 of the body in hex. `more` overrides fields. */
export const hmacOfBody = (header: string, more: Partial<HmacScheme> = {}): HmacScheme => ({
  kind: "hmac",
  hash: "SHA-256",
  key: ["text"],
  encoding: "hex",
  signature: { header },
  content: ["{body}"],
  ...more,
});

/** Stripe's scheme: `<header>: t=<time>,v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`. */
export const timedHmac = (
  header: string,
  unit: "s" | "ms" = "s",
  more: Partial<HmacScheme> & { names?: readonly [time: string, signature: string]; separator?: string } = {},
): HmacScheme => {
  const { names = ["t", "v1"], separator = ",", ...rest } = more;
  const at = (name: string): ValueLocation => ({ header, separator, name });
  return {
    ...hmacOfBody(header),
    signature: at(names[1]),
    content: ["{timestamp}.{body}"],
    timestamp: { at: at(names[0]), unit, tolerance: TOLERANCE_S },
    ...rest,
  };
};

/** First part of the header names: `webhook-id` …, or `svix-id` …. */
export type HeaderPrefix = "webhook" | "svix";

const standardNames = (prefix: HeaderPrefix) => [`${prefix}-id`, `${prefix}-timestamp`, `${prefix}-signature`] as const;

/**
 * Standard Webhooks sign `<id>.<timestamp>.<body>`: `v1,<base64>` is HMAC-SHA256, `v1a,<base64>` Ed25519 with public
 * key `whpk_<base64>`.
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

export const readStandardHeaders = (headers: Headers, prefixes: readonly HeaderPrefix[]) => {
  const sets = prefixes.map(standardNames);
  const [id = "", timestamp = ""] = sets[chooseHeaders(sets, headers)] ?? [];
  return { id: headers.get(id) || undefined, timestamp: headers.get(timestamp) || undefined };
};

/**
 * Scheme of providers that send the secret: `Authorization`, `X-Api-Key`, `X-Webhook-Secret`, or Basic
 * `user:password`.
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
