import { readAnswerText } from "../../contract/body.ts";
import { fromBase64 } from "../../util/hmac.ts";
import type { VerifyContext } from "../scheme.ts";

const KEEP_MS = 3_600_000;
const REFETCH_MS = 30_000;
/** Ms after a failed fetch in which it is not repeated: anyone can send a webhook that needs the keys. */
const FAILED_MS = 5_000;
const MAX_ENTRIES = 100;
/** Most bytes of a text with public keys. */
const MAX_KEYS = 100_000;

/**
 * The text at a URL, cached for an hour. `undefined` where it cannot be fetched.
 * @param fresh Fetch again after 30 s: the provider may have a new key. Not sooner, so that requests with an unknown
 *   key id cannot make this Worker flood the provider.
 */
export const fetchText = async (
  url: string,
  now: number,
  { fetch, cache }: VerifyContext,
  fresh = false,
): Promise<string | undefined> => {
  const known = cache.get(url);
  if (known?.text !== undefined && Math.abs(now - known.at) < (fresh ? REFETCH_MS : KEEP_MS)) return known.text;
  if (known?.failedAt !== undefined && Math.abs(now - known.failedAt) < FAILED_MS) return undefined;
  const text = await textAt(url, fetch);
  if (cache.size >= MAX_ENTRIES) cache.clear();
  cache.set(url, text === undefined ? { at: 0, ...known, failedAt: now } : { text, at: now });
  return text;
};

const textAt = async (url: string, fetch: VerifyContext["fetch"]): Promise<string | undefined> => {
  try {
    const response = await fetch(url);
    return response.ok ? await readAnswerText(response, MAX_KEYS) : undefined;
  } catch {
    return undefined;
  }
};

/** The bytes of a certificate in PEM; undefined where the text is anything else than exactly one. */
export const fromPem = (pem: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, body] = /^\s*-----BEGIN CERTIFICATE-----([\sA-Za-z\d+/=]+)-----END CERTIFICATE-----\s*$/.exec(pem) ?? [];
  return body === undefined ? undefined : fromBase64(body.replace(/\s/g, ""));
};
