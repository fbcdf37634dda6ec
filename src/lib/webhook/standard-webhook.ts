import { fromBase64, hmac, toBase64 } from "../util/hmac.ts";

/** The key behind `whsec_<base64>` (the prefix may be missing), or undefined where the text is none. */
export const standardKey = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const key = fromBase64(secret.trim().replace(/^whsec_/, ""));
  return key?.length ? key : undefined;
};

/**
 * Headers of a Standard Webhooks request.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param timestamp Unix seconds
 * @param prefix what their names begin with; Svix and others have their own
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
 * Headers of an outgoing Standard Webhooks request with a JSON body.
 *
 * @param id the same for every try of one message
 * @param at Unix ms of this try
 */
export const standardHeaders = async (
  key: Uint8Array<ArrayBuffer>,
  id: string,
  at: number,
  body: string,
): Promise<Record<string, string>> => ({
  "Content-Type": "application/json",
  ...(await signedHeaders(key, id, Math.floor(at / 1000), body)),
});
