import { fromBase64 } from "../../util/hmac.ts";
import type { VerifyContext } from "../scheme.ts";

const KEEP_MS = 3_600_000;
const REFETCH_MS = 30_000;
const MAX_ENTRIES = 100;

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
  if (known && Math.abs(now - known.at) < (fresh ? REFETCH_MS : KEEP_MS)) return known.text;
  try {
    const response = await fetch(url);
    if (!response.ok) return undefined;
    const text = await response.text();
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(url, { text, at: now });
    return text;
  } catch {
    return undefined;
  }
};

/** The bytes of the first PEM block in a text, or undefined. */
export const fromPem = (pem: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, body] = /-----BEGIN [\w ]+-----([\s\S]+?)-----END/.exec(pem) ?? [];
  return body === undefined ? undefined : fromBase64(body.replace(/\s/g, ""));
};
