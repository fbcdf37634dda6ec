import { hmac, sameText, toBytes, toHex } from "../../lib/util/hmac.ts";
import { randomId } from "../../lib/util/id.ts";

/** Team slugs: the name of the team's object and a part of its keys. */
export const TEAM = /^[a-z0-9-]{1,32}$/;

const KEY = /^(ms_([a-z0-9-]{1,32})_[0-9a-z]{32})_([0-9a-f]{24})$/;

// 96 bits: nobody guesses it, and each guess costs a request.
const tagOf = async (signed: string, secret: string): Promise<string> =>
  toHex(await hmac(toBytes(secret), signed)).slice(0, 24);

/**
 * A new API key: `ms_<team>_<32 random characters>_<tag>`. The tag is an HMAC-SHA256 of what stands before it, so that
 * a forged key is refused before any team's object is touched.
 *
 * @throws when the secret is empty
 */
export const newKey = async (team: string, secret: string): Promise<string> => {
  const signed = randomId(`ms_${team}`, 32);
  return `${signed}_${await tagOf(signed, secret)}`;
};

/** The team a key names, when its tag was made with this secret; the team's object decides whether the key is known. */
export const teamOfKey = async (key: string, secret: string): Promise<string | undefined> => {
  const [, signed, team, tag] = KEY.exec(key) ?? [];
  if (signed === undefined || team === undefined || tag === undefined) return undefined;
  return (await sameText(tag, await tagOf(signed, secret))) ? team : undefined;
};
