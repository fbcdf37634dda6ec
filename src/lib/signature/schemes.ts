import type { HmacScheme, Place, Scheme, SharedScheme } from "./scheme.ts";
import { chosen } from "./verify.ts";

/** How far a signed timestamp may be from the clock, in seconds; what most vendors' own libraries use. */
export const TOLERANCE_S = 300;

/** HMAC-SHA256 of the body, hex, by a secret that is a text: what most providers do. `more` says what is different. */
export const hmacOfBody = (header: string, more: Partial<HmacScheme> = {}): HmacScheme => ({
  kind: "hmac",
  hash: "SHA-256",
  key: ["text"],
  encoding: "hex",
  signature: { header },
  content: ["{body}"],
  ...more,
});

/** `<header>: t=<time>,v1=<hex>`, an HMAC-SHA256 of `<t>.<body>`: Stripe's form, which others took over. */
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
 * Standard Webhooks: `v1,<base64>` of an HMAC-SHA256 of `<id>.<timestamp>.<body>`, several joined by a space;
 * `v1a,<base64>` by Ed25519 where the secret is a public key, `whpk_<base64>`. The timestamp may be 300 s off in both
 * directions.
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
 * Reads the id and timestamp of Standard Webhooks, from the same headers that `standard` checks with these prefixes, so
 * that the id a handler reads is always the id that was signed.
 */
export const standardHeaders = (headers: Headers, prefixes: readonly HeaderPrefix[]) => {
  const sets = prefixes.map(standardNames);
  const [id = "", timestamp = ""] = sets[chosen(sets, headers)] ?? [];
  return { id: headers.get(id) || undefined, timestamp: headers.get(timestamp) || undefined };
};

/**
 * A secret that the provider sends along as it is, for those that sign nothing: in `Authorization`, bare or after
 * `Bearer `, in `X-Api-Key` or `X-Webhook-Secret`, or as `user:password` of Basic.
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
