import { fromBase64, hmac, toBase64 } from "../util/hmac.ts";

/** Decodes `whsec_<base64>` (the prefix is optional). */
export const standardKey = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const key = fromBase64(secret.trim().replace(/^whsec_/, ""));
  return key?.length ? key : undefined;
};

/**
 * Creates the three signed Standard Webhooks headers.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param timestamp Unix seconds
 */
export const signedHeaders = async (
  key: Uint8Array<ArrayBuffer>,
  id: string,
  timestamp: number,
  body: string,
  prefix = "webhook",
): Promise<Record<string, string>> => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(timestamp),
  [`${prefix}-signature`]: `v1,${toBase64(await hmac(key, `${id}.${timestamp}.${body}`))}`,
});

/**
 * Creates all headers of a Standard Webhooks request.
 *
 * @param id the same for every attempt
 * @param at Unix ms of this attempt
 */
export const jsonWebhookHeaders = async (
  key: Uint8Array<ArrayBuffer>,
  id: string,
  at: number,
  body: string,
): Promise<Record<string, string>> => ({
  "Content-Type": "application/json",
  ...(await signedHeaders(key, id, Math.floor(at / 1000), body)),
});
