import { keyFor, opened, sealed } from "../../../lib/seal.ts";
import { MINUTE_MS } from "../../../lib/util/dates.ts";
import { toBytes } from "../../../lib/util/hmac.ts";

const CHALLENGE_MS = 5 * MINUTE_MS;
const RANDOM_BYTES = 16;

const keyOf = (adminToken: string) => keyFor(adminToken, "dashboard challenge");

/** Creates a stateless, sealed challenge for `use`, so that strangers write no rows. `now` is Unix ms. */
export const newChallenge = async (adminToken: string, use: string, now: number): Promise<Uint8Array<ArrayBuffer>> => {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)).toHex();
  return toBytes(await sealed(await keyOf(adminToken), `${random} ${use}`, now + CHALLENGE_MS));
};

/** True for a challenge of the last five minutes. `given` is base64url; Logins enforces single use. */
export const isChallenge = async (adminToken: string, use: string, given: string, now: number): Promise<boolean> => {
  const found = await opened(await keyOf(adminToken), textIn(given), now);
  return typeof found !== "string" && found.payload.slice(2 * RANDOM_BYTES + 1) === use;
};

const textIn = (base64url: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64url, { alphabet: "base64url" }));
  } catch {
    return "";
  }
};
