import { digestBytes, hmac, sameMac, toBytes } from "../../../../lib/util/hmac.ts";

/** How long the next request may take to go on with a count, in ms. */
const GOOD_MS = 600_000;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;
const FORM = /^([\w-]+)\.([\w-]{22})\.([0-9a-z]{1,12})\.([\w-]{22})$/;

/** What a cursor is sealed with: a secret of this Worker, and the team that it is for. `now`: Unix ms. */
export type Seal = { secret: string; team: string; now: number };

const tagOf = async ({ secret, team }: Seal, text: string): Promise<string> =>
  (await hmac(toBytes(`cursor of a count\n${secret}`), `${team}\n${text}`)).slice(0, 16).toBase64(BASE64URL);

const digestOf = async (of: string): Promise<string> => (await digestBytes(of)).slice(0, 16).toBase64(BASE64URL);

/**
 * A cursor with the numbers counted until now, which a client cannot make up: a launch trusts what is counted in the end. `of`: the same for the
 * same audience.
 */
export const sealed = async (seal: Seal, of: string, cursor: string): Promise<string> => {
  const text = `${cursor}.${await digestOf(of)}.${seal.now.toString(36)}`;
  return `${text}.${await tagOf(seal, text)}`;
};

/** The cursor of `sealed`; `other` where it is for another audience; `invalid` where this Worker did not make it, or ten minutes are over. */
export const unsealed = async (
  seal: Seal,
  of: string,
  given: string,
): Promise<{ cursor: string } | "other" | "invalid"> => {
  const [, cursor = "", digest = "", time = "", tag = ""] = FORM.exec(given) ?? [];
  if (!sameMac(await tagOf(seal, `${cursor}.${digest}.${time}`), tag)) return "invalid";
  if (seal.now - Number.parseInt(time, 36) > GOOD_MS) return "invalid";
  return digest === (await digestOf(of)) ? { cursor } : "other";
};
