import { hmac, sameMac, toBytes, toHex } from "../../lib/util/hmac.ts";

/** A key of its own, so that no signature of a URL is ever one of another kind made with the same secret. */
const keyOf = async (secret: string): Promise<Uint8Array<ArrayBuffer>> => hmac(toBytes(secret), "upload URL");

const macOf = async (target: string, secret: string): Promise<string> => toHex(await hmac(await keyOf(secret), target));

const SIGNED = /^(.*)&signature=([0-9a-f]{64})$/;

/** Path and query of a URL, as they are signed: an address may be reached under several names. */
const targetOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Adds a signature (HMAC-SHA256) over path and query. The URL has a query. */
export const signUrl = async (url: string, secret: string): Promise<string> =>
  `${url}&signature=${await macOf(targetOf(url), secret)}`;

/** The query of a signed URL without its signature; undefined when this secret did not sign it. Compares in constant time. */
export const readSignedUrl = async (url: string, secret: string): Promise<URLSearchParams | undefined> => {
  const [, target, signature] = SIGNED.exec(targetOf(url)) ?? [];
  if (target === undefined || signature === undefined) return undefined;
  return sameMac(await macOf(target, secret), signature) ? new URL(target, url).searchParams : undefined;
};
