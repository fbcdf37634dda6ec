import { MINUTE_MS } from "../../../lib/util/dates.ts";
import { hmac, sameMac, toBytes } from "../../../lib/util/hmac.ts";
import { keyFor } from "../cookie.ts";

export const CHALLENGE_MS = 5 * MINUTE_MS;
const TAG_BYTES = 16;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;
const FORM = /^([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{22})$/;

const tagOf = async (adminToken: string, use: string, text: string): Promise<string> => {
  const key = await keyFor(adminToken, "mailspan dashboard challenge v1");
  return (await hmac(key, `${use}\n${text}`)).slice(0, TAG_BYTES).toBase64(BASE64URL);
};

/** Creates a stateless, tagged challenge for `use`, so that strangers write no rows. `now` is Unix ms. */
export const newChallenge = async (adminToken: string, use: string, now: number): Promise<Uint8Array<ArrayBuffer>> => {
  const text = `${now.toString(36)}.${crypto.getRandomValues(new Uint8Array(16)).toBase64(BASE64URL)}`;
  return toBytes(`${text}.${await tagOf(adminToken, use, text)}`);
};

/** True for a challenge of the last five minutes. `given` is base64url; the Door enforces single use. */
export const isChallenge = async (adminToken: string, use: string, given: string, now: number): Promise<boolean> => {
  const [, time = "", random = "", tag = ""] = FORM.exec(textIn(given)) ?? [];
  const age = now - Number.parseInt(time, 36);
  return age >= 0 && age < CHALLENGE_MS && sameMac(await tagOf(adminToken, use, `${time}.${random}`), tag);
};

const textIn = (base64url: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64url, { alphabet: "base64url" }));
  } catch {
    return "";
  }
};
