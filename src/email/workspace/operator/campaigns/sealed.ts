import { digestBytes, hmac, sameMac, toBytes } from "../../../../lib/util/hmac.ts";

const GOOD_MS = 600_000;
const BASE64URL = { alphabet: "base64url", omitPadding: true } as const;
const FORM = /^([\w-]+)\.([\w-]{22})\.([0-9a-z]{1,12})\.([\w-]{22})$/;

/** The Worker secret and team that seal a cursor. `now`: Unix ms. */
export type Seal = { secret: string; team: string; now: number };

const tagOf = async ({ secret, team }: Seal, text: string): Promise<string> =>
  (await hmac(toBytes(`cursor of a count\n${secret}`), `${team}\n${text}`)).slice(0, 16).toBase64(BASE64URL);

const digestOf = async (of: string): Promise<string> => (await digestBytes(of)).slice(0, 16).toBase64(BASE64URL);

/** Seals a cursor so that a client cannot forge counts. `of` identifies the audience. */
export const sealed = async (seal: Seal, of: string, cursor: string): Promise<string> => {
  const text = `${cursor}.${await digestOf(of)}.${seal.now.toString(36)}`;
  return `${text}.${await tagOf(seal, text)}`;
};

/** Opens a sealed cursor. `other`: another audience; `invalid`: forged, or older than ten minutes. */
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
