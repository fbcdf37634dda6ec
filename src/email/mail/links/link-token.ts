import { opened, type SealKey, sealed } from "../../../lib/seal.ts";
import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import { mailKey, mailsKey, type SendName } from "./mail-key.ts";

type TokenKind = LinkKind | "open";

/** A token begins with its mail and one letter, so that no kind passes for another. */
const LETTERS = { unsubscribe: "u", preferences: "p", confirm: "c", open: "o" } as const satisfies Record<
  TokenKind,
  string
>;

const START = /^([a-z0-9-]{1,32}) ([0-9a-z]{1,11}) /;

/**
 * Seals fields for one mail. The newest mails keep their keys.
 *
 * @throws `TypeError` for a field with a space, which would be read back as two
 */
export const sealedFor = async (
  secret: string,
  kind: TokenKind,
  { team, n }: SendName,
  fields: readonly string[],
): Promise<string> => {
  if (fields.some((field) => field.includes(" "))) throw new TypeError("A field of a token has no spaces.");
  const key = await (await mailKey(secret, team, n)).key();
  return sealed(key, [team, n.toString(36), LETTERS[kind], ...fields].join(" "));
};

/** Opens a token of this kind with any of the secrets; undefined if invalid. Never throws. */
export const openedFor = async (
  secrets: readonly string[],
  kind: TokenKind,
  token: string,
): Promise<{ mail: SendName; fields: string[]; key: SealKey } | undefined> => {
  for (const secret of secrets) {
    const found = await opened(await mailsKey(secret), token, 0, (payload) => keyIn(secret, payload));
    if (typeof found === "string") continue;
    const [team = "", n = "", letter, ...fields] = found.payload.split(" ");
    const mail = { team, n: Number.parseInt(n, 36) };
    const key = await (await mailKey(secret, team, mail.n)).key();
    return letter === LETTERS[kind] ? { mail, fields, key } : undefined;
  }
  return undefined;
};

const keyIn = async (secret: string, payload: string): Promise<SealKey | undefined> => {
  const [, team, n = ""] = START.exec(payload) ?? [];
  return team === undefined ? undefined : (await mailKey(secret, team, Number.parseInt(n, 36))).key();
};

export const createToken = (
  secret: string,
  kind: LinkKind,
  { team, send, row, contact, list = "", address }: LinkTarget,
): Promise<string> => sealedFor(secret, kind, { team, n: send }, [row.toString(36), contact, list, address]);

/** Reads a token of this kind; undefined if invalid. Never throws. */
export const readToken = async (
  secrets: readonly string[],
  kind: LinkKind,
  token: string,
): Promise<LinkTarget | undefined> => {
  const found = await openedFor(secrets, kind, token);
  if (!found) return undefined;
  const { mail, fields } = found;
  const [row = "", contact = "", list, address = ""] = fields;
  const target = { team: mail.team, send: mail.n, row: Number.parseInt(row, 36), contact, address };
  return list ? { ...target, list } : target;
};
