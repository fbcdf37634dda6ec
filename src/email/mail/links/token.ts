import { hmac, sameMac, toHex } from "../../../lib/util/hmac.ts";
import type { LinkKind, LinkTarget } from "../../types/recipient.ts";
import type { LinkKey } from "./keys.ts";

const ID_BYTES = 3;
/** 128 bits: unguessable, and a unique start of the cipher's counter. */
const TAG_BYTES = 16;
const MAX_CHARACTERS = 400;

const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };

type TokenKind = LinkKind | "mail" | "domain";

const tagOf = async ({ tag }: LinkKey, kind: TokenKind, text: string): Promise<Uint8Array<ArrayBuffer>> =>
  (await hmac(tag, `${kind} ${text}`)).slice(0, TAG_BYTES);

const counterOf = (tag: Uint8Array<ArrayBuffer>) => ({ name: "AES-CTR", counter: tag, length: 64 });

/** Fields have no spaces. A link without an address can only unsubscribe. */
const toText = ({ team, row, contact, list = "", send = "", address }: LinkTarget): string =>
  [team, row, contact, list, send, ...(address === "" ? [] : [address])].join(" ");

const toTarget = (text: string): LinkTarget => {
  const [team = "", row, contact = "", list, send, address = ""] = text.split(" ");
  return {
    team,
    row: Number(row),
    contact,
    address,
    ...(list ? { list } : {}),
    ...(send ? { send } : {}),
  };
};

export const createToken = (key: LinkKey, kind: LinkKind, target: LinkTarget): Promise<string> =>
  seal(key, kind, toText(target));

/** Reads a token of this kind; undefined if invalid. Never throws. */
export const readToken = async (
  keys: readonly LinkKey[],
  kind: LinkKind,
  token: string,
): Promise<LinkTarget | undefined> => {
  const text = await unseal(keys, kind, token);
  return text === undefined ? undefined : toTarget(text);
};

/** Encrypts text deterministically, with HMAC-SHA256 as the counter start (RFC 5297). */
export const seal = async (key: LinkKey, kind: TokenKind, text: string): Promise<string> => {
  const tag = await tagOf(key, kind, text);
  const hidden = await crypto.subtle.encrypt(counterOf(tag), key.cipher, utf8.encode.encode(text));
  const bytes = new Uint8Array([...key.id, ...tag, ...new Uint8Array(hidden)]);
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
};

/** Decrypts a token; undefined if invalid. Never throws. */
export const unseal = async (keys: readonly LinkKey[], kind: TokenKind, token: string): Promise<string | undefined> => {
  const bytes = bytesOf(token);
  if (bytes === undefined) return undefined;
  const id = toHex(bytes.subarray(0, ID_BYTES));
  const tag = bytes.slice(ID_BYTES, ID_BYTES + TAG_BYTES);
  for (const key of keys.filter((one) => toHex(one.id) === id)) {
    const text = utf8.decode.decode(
      await crypto.subtle.decrypt(counterOf(tag), key.cipher, bytes.subarray(ID_BYTES + TAG_BYTES)),
    );
    if (sameMac(toHex(await tagOf(key, kind, text)), toHex(tag))) return text;
  }
  return undefined;
};

const bytesOf = (token: string): Uint8Array<ArrayBuffer> | undefined => {
  if (token.length > MAX_CHARACTERS || !/^[\w-]+$/.test(token) || token.length % 4 === 1) return undefined;
  try {
    // Unused bits must be zero, so that every token has one spelling.
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url", lastChunkHandling: "loose" });
    const isExact = bytes.toBase64({ alphabet: "base64url", omitPadding: true }) === token;
    return isExact && bytes.length > ID_BYTES + TAG_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
};
