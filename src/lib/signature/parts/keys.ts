import { readAnswerText } from "../../contract/body.ts";
import { HOUR_MS } from "../../util/dates.ts";
import { fromBase64 } from "../../util/hmac.ts";
import type { FetchedText, VerifyContext } from "../scheme.ts";

const KEEP_MS = HOUR_MS;
const REFETCH_MS = 30_000;
/** Ms before a failed fetch is repeated: anyone can send a webhook that needs the keys. */
const FAILED_MS = 5_000;
/** Ms after which an unfinished fetch is given up: its request may have ended. */
const FETCHING_MS = 6_000;
/** Ms between two checks, and most waiting requests: each holds a body. */
const LOOK_MS = 50;
const MAX_WAITING = 20;
const MAX_ENTRIES = 100;
/**
 * Most failing URLs per host. A stranger who knows an Amazon SNS topic can name a new certificate in each message.
 * Keys of other providers must stay fetchable.
 */
const MAX_UNKNOWN = 20;
const UNKNOWN_MS = 60_000;
/** Bytes. */
const MAX_KEYS = 100_000;

type Cache = VerifyContext["cache"];

/**
 * Fetches a text, cached for an hour; `undefined` on failure. Others wait without a shared promise, because a
 * Worker's request must not wait for another's I/O.
 * @param fresh fetches again after 30 s, so that unknown key ids cannot flood the provider
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

/** Decodes exactly one PEM certificate; else undefined. */
export const fromPem = (pem: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, body] = /^\s*-----BEGIN CERTIFICATE-----([\sA-Za-z\d+/=]+)-----END CERTIFICATE-----\s*$/.exec(pem) ?? [];
  return body === undefined ? undefined : fromBase64(body.replace(/\s/g, ""));
};
