import { hmac, sameText, toBytes, toHex } from "../../lib/util/hmac.ts";
import { randomId } from "../../lib/util/id.ts";

const KEY = /^(ms_([a-z0-9-]{1,32})_[0-9a-z]{32})_([0-9a-f]{24})$/;

// 96 bits: each guess costs a request.
const tagOf = async (signed: string, secret: string): Promise<string> =>
  toHex(await hmac(toBytes(secret), signed)).slice(0, 24);

/**
 * Creates an API key: `ms_<team>_<32 random characters>_<tag>`. The HMAC-SHA256 tag refuses forgeries early.
 *
 * @throws when the secret is empty
 */
export const newKey = async (team: string, secret: string): Promise<string> => {
  const signed = randomId(`ms_${team}`, 32);
  return `${signed}_${await tagOf(signed, secret)}`;
};

/** Returns the team of a key with a valid tag. The team's object then checks the key. */
export const teamOfKey = async (key: string, secret: string): Promise<string | undefined> => {
  const [, signed, team, tag] = KEY.exec(key) ?? [];
  if (signed === undefined || team === undefined || tag === undefined) return undefined;
  return (await sameText(tag, await tagOf(signed, secret))) ? team : undefined;
};
