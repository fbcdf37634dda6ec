import { readAnswerText } from "../../contract/body.ts";
import { HOUR_MS } from "../../util/dates.ts";
import { fromBase64 } from "../../util/hmac.ts";
import type { FetchedText, VerifyContext } from "../scheme.ts";

const KEEP_MS = HOUR_MS;
const REFETCH_MS = 30_000;
/** Ms after a failed fetch in which it is not repeated: anyone can send a webhook that needs the keys. */
const FAILED_MS = 5_000;
/** Ms after which a fetch that has neither text nor failure is given up: the request that made it may have ended. */
const FETCHING_MS = 6_000;
/** Ms between two looks at another request's fetch, and most requests that wait for it: each holds a body. */
const LOOK_MS = 50;
const MAX_WAITING = 20;
const MAX_ENTRIES = 100;
/**
 * Most addresses of one host without a text, and ms after which one of them may be replaced. A stranger who knows a topic of
 * Amazon SNS can name a new certificate in each message. That must not keep the keys of other providers from being fetched.
 */
const MAX_UNKNOWN = 20;
const UNKNOWN_MS = 60_000;
/** Most bytes of a text with public keys. */
const MAX_KEYS = 100_000;

type Cache = VerifyContext["cache"];

/**
 * The text at a URL, cached for an hour. `undefined` where it cannot be fetched. One request at a time fetches a URL; the
 * others wait for its result. Without sharing a promise: a Worker's request must not wait for another's I/O.
 * @param fresh Fetch again after 30 s: the provider may have a new key. Not sooner, so that requests with an unknown
 *   key id cannot make this Worker flood the provider.
 */
export const fetchText = async (
  url: string,
  now: number,
  { fetch, cache, sleep }: VerifyContext,
  fresh = false,
): Promise<string | undefined> => {
  const known = cache.get(url);
  if (known?.text !== undefined && isWithin(known.at, now, fresh ? REFETCH_MS : KEEP_MS)) return known.text;
  if (isWithin(known?.failedAt, now, FAILED_MS)) return undefined;
  if (known && isWithin(known.fetchingAt, now, FETCHING_MS)) return fetchedByOther(url, known, cache, sleep);
  if (!known && !makeRoom(cache, url, now)) return undefined;
  const { text: before, at = 0 } = known ?? {};
  const last = before === undefined ? { at } : { text: before, at };
  cache.set(url, { ...last, fetchingAt: now });
  const text = await textAt(url, fetch);
  cache.set(url, text === undefined ? { ...last, failedAt: now } : { text, at: now });
  return text;
};

const isWithin = (at: number | undefined, now: number, ms: number): boolean =>
  at !== undefined && Math.abs(now - at) < ms;

/** Waits until another request has fetched the text. */
const fetchedByOther = async (
  url: string,
  fetching: FetchedText,
  cache: Cache,
  sleep: VerifyContext["sleep"],
): Promise<string | undefined> => {
  fetching.waiting = (fetching.waiting ?? 0) + 1;
  if (fetching.waiting > MAX_WAITING) return undefined;
  for (let waited = 0; waited < FETCHING_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    const known = cache.get(url);
    if (known !== fetching) return known?.failedAt === undefined ? known?.text : undefined;
  }
  return undefined;
};

/** Makes room for a new URL. False where too many URLs of its host without a text were asked for lately. */
const makeRoom = (cache: Cache, url: string, now: number): boolean => {
  const { host } = new URL(url);
  const unknown = [...cache].filter(([other, { text }]) => text === undefined && new URL(other).host === host);
  if (unknown.length >= MAX_UNKNOWN) {
    const old = unknown.find(([, { failedAt, fetchingAt }]) => !isWithin(failedAt ?? fetchingAt, now, UNKNOWN_MS));
    if (!old) return false;
    cache.delete(old[0]);
  }
  const [oldest] = cache.keys();
  if (cache.size >= MAX_ENTRIES && oldest !== undefined) cache.delete(oldest);
  return true;
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
