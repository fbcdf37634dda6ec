import type { Values } from "../../../lib/lmx/fill.ts";
import { opened, type SealKey, sealed } from "../../../lib/seal.ts";
import { toBytes } from "../../../lib/util/hmac.ts";
import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import { mailKey, mailsKey, type SendName } from "./mail-key.ts";

type TokenKind = LinkKind | "open" | "view";

/** A token begins with its mail and one letter, so that no kind passes for another. */
const LETTERS = { unsubscribe: "u", preferences: "p", confirm: "c", open: "o", view: "v" } as const satisfies Record<
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

const fieldsOf = ({ row, contact, list = "", address }: LinkTarget): string[] => [
  row.toString(36),
  contact,
  list,
  address,
];

const targetOf = (mail: SendName, [row = "", contact = "", list, address = ""]: readonly string[]): LinkTarget => {
  const target = { team: mail.team, send: mail.n, row: Number.parseInt(row, 36), contact, address };
  return list ? { ...target, list } : target;
};

export const createToken = (secret: string, kind: LinkKind, target: LinkTarget): Promise<string> =>
  sealedFor(secret, kind, { team: target.team, n: target.send }, fieldsOf(target));

/** Reads a token of this kind; undefined if invalid. Never throws. */
export const readToken = async (
  secrets: readonly string[],
  kind: LinkKind,
  token: string,
): Promise<LinkTarget | undefined> => {
  const found = await openedFor(secrets, kind, token);
  return found && targetOf(found.mail, found.fields);
};

/** Outlook permits links of at most 2,083 characters. */
const MAX_VALUES = 1_000;

/** A mail as its recipient got it: `revision` of its content, and its values, unless they are too long for a link. */
export type ViewedMail = { target: LinkTarget; revision: number; values: Values | undefined };

/** Seals a mail into its own link, so that nothing else has to keep its values. */
export const createViewToken = (secret: string, { target, revision, values }: ViewedMail): Promise<string> => {
  // Spaces part the fields of a token, and stand within texts of JSON only.
  const json = JSON.stringify(values ?? {}).replaceAll(" ", "\\u0020");
  const own = values !== undefined && toBytes(json).length <= MAX_VALUES ? [json] : [];
  const fields = [...fieldsOf(target), revision.toString(36), ...own];
  return sealedFor(secret, "view", { team: target.team, n: target.send }, fields);
};

/** Reads the token of a mail; undefined if invalid. Never throws. */
export const readViewToken = async (secrets: readonly string[], token: string): Promise<ViewedMail | undefined> => {
  const found = await openedFor(secrets, "view", token);
  if (!found) return undefined;
  const [revision = "", json] = found.fields.slice(4);
  const values = json === undefined ? undefined : (JSON.parse(json) as Values);
  return { target: targetOf(found.mail, found.fields), revision: Number.parseInt(revision, 36), values };
};
