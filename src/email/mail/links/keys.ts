import { hmac, toBytes } from "../../../lib/util/hmac.ts";

/** Link keys of one secret. `id` is three bytes at the start of a link. */
export type LinkKey = { id: Uint8Array<ArrayBuffer>; tag: Uint8Array<ArrayBuffer>; cipher: CryptoKey };

/** Separate labels keep keys of different purposes distinct. */
const linkKeyOf = async (secret: string): Promise<LinkKey> => {
  const bytes = toBytes(secret);
  const [id, tag, cipher] = await Promise.all([
    hmac(bytes, "recipient link: id"),
    hmac(bytes, "recipient link: tag"),
    hmac(bytes, "recipient link: cipher"),
  ]);
  const key = await crypto.subtle.importKey("raw", cipher, "AES-CTR", false, ["encrypt", "decrypt"]);
  return { id: id.slice(0, 3), tag, cipher: key };
};

/** Derives link keys: the first signs, all read. Empty secrets are omitted. */
export const linkKeysOf = (secrets: readonly string[]): Promise<LinkKey[]> =>
  Promise.all(secrets.filter((secret) => secret !== "").map(linkKeyOf));
