import { fromBase64 } from "../../util/hmac.ts";
import type { Outside } from "../scheme.ts";

const KEEP = 3_600_000;
const AGAIN = 30_000;
const MOST = 100;

/**
 * The text at an address, kept for an hour. `fresh` asks again, but not within 30 s: a key that nobody has must not
 * make us a hammer. `undefined` where it cannot be fetched.
 */
export const fetchText = async (
  url: string,
  now: number,
  { fetch, cache }: Outside,
  fresh = false,
): Promise<string | undefined> => {
  const known = cache.get(url);
  if (known && Math.abs(now - known.at) < (fresh ? AGAIN : KEEP)) return known.text;
  try {
    const response = await fetch(url);
    if (!response.ok) return undefined;
    const text = await response.text();
    if (cache.size >= MOST) cache.clear();
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
