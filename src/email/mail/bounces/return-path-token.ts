import { sameMac } from "../../../lib/util/hmac.ts";
import { mailKey, type SendName } from "../links/mail-key.ts";

/** Servers may lowercase local parts. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** 60 bits: each guess costs a mail. */
const tagOf = async ({ team, n }: SendName, secret: string): Promise<string> => {
  const { shown } = await mailKey(secret, team, n);
  return Array.from(shown, (byte) => ALPHABET[byte % 32]).join("");
};

const TOKEN = /^([a-z0-9-]{1,32})_([0-9a-z]{1,11})_([a-z2-7]{12})$/;

/** Creates a signed send token: `<team>_<n in base 36>_<tag>`, at most 57 characters. */
export const tokenOf = async ({ team, n }: SendName, secret: string): Promise<string> =>
  `${team}_${n.toString(36)}_${await tagOf({ team, n }, secret)}`;

/** Verifies a token; undefined if no secret matches. */
export const readToken = async (token: string, secrets: readonly string[]): Promise<SendName | undefined> => {
  const [, team, number = "", offered = ""] = TOKEN.exec(token.trim().toLowerCase()) ?? [];
  if (team === undefined) return undefined;
  const name = { team, n: Number.parseInt(number, 36) };
  for (const secret of secrets) if (sameMac(await tagOf(name, secret), offered)) return name;
  return undefined;
};

/** Returns the row number in a send id, if it has one. */
export const rowOf = (id: string): number | undefined => {
  const [, n] = /^snd_([0-9a-z]{1,11})_/.exec(id) ?? [];
  return n === undefined ? undefined : Number.parseInt(n, 36);
};

/** Builds the bounce address; its local part has at most 64 characters. */
export const bounceAddress = (token: string, domain: string): string => `bounce+${token}@${domain}`;

/** Builds the address of a mail that unsubscribes its recipient. */
export const unsubscribeAddress = (token: string, domain: string): string => `leave+${token}@${domain}`;

/** Returns the token of an address that unsubscribes. */
export const leaveTokenIn = (address: string): string | undefined =>
  /^\s*<?leave\+([^@<>\s]{1,64})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase();

/** Number in the token of a team's address for reports; no send has it. */
export const OF_REPORTS = 0;

/** Builds the address of a team for aggregate reports of DMARC. */
export const reportAddress = (token: string, domain: string): string => `dmarc+${token}@${domain}`;

export const reportTokenIn = (address: string): string | undefined =>
  /^\s*<?dmarc\+([^@<>\s]{1,64})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase();

/** Returns the token of a return path. Forwarders may uppercase it. */
export const tokenIn = (address: string): string | undefined =>
  /^\s*<?bounce\+([^@<>\s]{1,64})@[^@\s]+$/i.exec(address)?.[1]?.toLowerCase();
