import { hmac, sameMac, toBytes } from "../../../lib/util/hmac.ts";

/** A send: the team's slug and the row number `n`. */
export type SendName = { team: string; n: number };

/** A separate key, so that tags never match other signatures of this secret. */
const keyOf = (secret: string): Promise<Uint8Array<ArrayBuffer>> => {
  const found = keys.get(secret) ?? hmac(toBytes(secret), "return path");
  keys.set(secret, found);
  return found;
};
const keys = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 bits: each guess costs a mail. */
const TAG_LENGTH = 12;

/** Servers may lowercase local parts. */
const tagOf = async (name: string, secret: string): Promise<string> => {
  const mac = await hmac(await keyOf(secret), name);
  return Array.from(mac.subarray(0, TAG_LENGTH), (byte) => ALPHABET[byte % 32]).join("");
};

const TOKEN = /^([a-z0-9-]{1,32}_([0-9a-z]{1,11}))_([a-z2-7]{12})$/;

/** Creates a signed send token: `<team>_<n in base 36>_<tag>`, at most 57 characters. */
export const tokenOf = async ({ team, n }: SendName, secret: string): Promise<string> => {
  const name = `${team}_${n.toString(36)}`;
  return `${name}_${await tagOf(name, secret)}`;
};

/** Verifies a token; undefined if no secret matches. */
export const readToken = async (token: string, secrets: readonly string[]): Promise<SendName | undefined> => {
  const [, name = "", n = "", tag = ""] = TOKEN.exec(token.trim().toLowerCase()) ?? [];
  if (name === "") return undefined;
  for (const secret of secrets) {
    if (!sameMac(await tagOf(name, secret), tag)) continue;
    return { team: name.slice(0, name.lastIndexOf("_")), n: Number.parseInt(n, 36) };
  }
  return undefined;
};

/** Returns the row number in a send id, if it has one. */
export const rowOf = (id: string): number | undefined => {
  const [, n] = /^snd_([0-9a-z]{1,11})_/.exec(id) ?? [];
  return n === undefined ? undefined : Number.parseInt(n, 36);
};

/** Builds the bounce address; its local part has at most 64 characters. */
export const bounceAddress = (token: string, domain: string): string => `bounce+${token}@${domain}`;

/** Returns the token of a return path. Forwarders may uppercase it. */
export const tokenIn = (address: string): string | undefined =>
  /^\s*<?bounce\+([^@<>\s]{1,64})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase();
