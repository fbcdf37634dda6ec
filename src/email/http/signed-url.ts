import { hmac, sameMac, toBytes, toHex } from "../../lib/util/hmac.ts";

/** A separate key prevents reuse of other signatures of this secret. */
const keyOf = async (secret: string): Promise<Uint8Array<ArrayBuffer>> => hmac(toBytes(secret), "upload URL");

const macOf = async (target: string, secret: string): Promise<string> => toHex(await hmac(await keyOf(secret), target));

const SIGNED = /^(.*)&signature=([0-9a-f]{64})$/;

/** The host is not signed, because several names may serve it. */
const targetOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Signs path and query with HMAC-SHA256. The URL has a query. */
export const signUrl = async (url: string, secret: string): Promise<string> =>
  `${url}&signature=${await macOf(targetOf(url), secret)}`;

/** Returns the verified query without signature, in constant time; undefined otherwise. */
export const readSignedUrl = async (url: string, secret: string): Promise<URLSearchParams | undefined> => {
  const [, target, signature] = SIGNED.exec(targetOf(url)) ?? [];
  if (target === undefined || signature === undefined) return undefined;
  return sameMac(await macOf(target, secret), signature) ? new URL(target, url).searchParams : undefined;
};
