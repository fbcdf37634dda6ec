import { isTag, keyFor, tag } from "../../lib/seal.ts";
import { randomId } from "../../lib/util/id.ts";

const KEY = /^(ms_([a-z0-9-]{1,32})_[0-9a-z]{32})_([0-9a-f]{24})$/;

const PURPOSE = "API key";

// 96 bits: each guess costs a request.
const form = (mac: Uint8Array): string => mac.subarray(0, 12).toHex();

/**
 * Creates an API key: `ms_<team>_<32 random characters>_<tag>`. The tag refuses forgeries early.
 *
 * @throws when the secret is empty
 */
export const newKey = async (team: string, secret: string): Promise<string> => {
  const signed = randomId(`ms_${team}`, 32);
  return `${signed}_${await tag(await keyFor(secret, PURPOSE), signed, form)}`;
};

/** Returns the team of a key with a valid tag. The team's object then checks the key. */
export const teamOfKey = async (key: string, secret: string): Promise<string | undefined> => {
  const [, signed, team, offered] = KEY.exec(key) ?? [];
  if (signed === undefined || team === undefined || offered === undefined) return undefined;
  return (await isTag(await keyFor(secret, PURPOSE), signed, offered, form)) ? team : undefined;
};
