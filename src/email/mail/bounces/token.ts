import { hmac, sameMac, toBytes } from "../../../lib/util/hmac.ts";

/** Names a send: the slug of its team, and `n` of its row. */
export type SendName = { team: string; n: number };

/** A key of its own, so that no tag of a return path is ever a signature of another kind made with the same secret. */
const keyOf = (secret: string): Promise<Uint8Array<ArrayBuffer>> => {
  const found = keys.get(secret) ?? hmac(toBytes(secret), "return path");
  keys.set(secret, found);
  return found;
};
const keys = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 bits: each guess costs a mail. */
const TAG_LENGTH = 12;

/** Only digits and lower-case letters, because servers may write local parts in lower case. */
const tagOf = async (name: string, secret: string): Promise<string> => {
  const mac = await hmac(await keyOf(secret), name);
  return Array.from(mac.subarray(0, TAG_LENGTH), (byte) => ALPHABET[byte % 32]).join("");
};

const TOKEN = /^([a-z0-9-]{1,32}_([0-9a-z]{1,11}))_([a-z2-7]{12})$/;

/**
 * A name of a send that strangers cannot make: `<team>_<n in base 36>_<tag>`, at most 57 characters, which mail addresses and
 * the metadata of relays allow.
 */
export const tokenOf = async ({ team, n }: SendName, secret: string): Promise<string> => {
  const name = `${team}_${n.toString(36)}`;
  return `${name}_${await tagOf(name, secret)}`;
};

/** The send that a token names; undefined when none of these secrets made it. */
export const readToken = async (token: string, secrets: readonly string[]): Promise<SendName | undefined> => {
  const [, name = "", n = "", tag = ""] = TOKEN.exec(token.trim().toLowerCase()) ?? [];
  if (name === "") return undefined;
  for (const secret of secrets) {
    if (!sameMac(await tagOf(name, secret), tag)) continue;
    return { team: name.slice(0, name.lastIndexOf("_")), n: Number.parseInt(n, 36) };
  }
  return undefined;
};

/** The row number of a send, which its id has; undefined for ids of older versions. */
export const rowOf = (id: string): number | undefined => {
  const [, n] = /^snd_([0-9a-z]{1,11})_/.exec(id) ?? [];
  return n === undefined ? undefined : Number.parseInt(n, 36);
};

/** The address for bounces of a send. Its local part has at most 64 characters. */
export const bounceAddress = (token: string, domain: string): string => `bounce+${token}@${domain}`;

/** The token of a return path; undefined for any other address. Forwarders may write it in upper case. */
export const tokenIn = (address: string): string | undefined =>
  /^\s*<?bounce\+([^@<>\s]{1,64})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase();
