import { hmac, toBytes } from "../../../lib/util/hmac.ts";

/** Keys that one secret gives for recipients' links. `id`: three bytes at the start of a link that tell its secret. */
export type LinkKey = { id: Uint8Array<ArrayBuffer>; tag: Uint8Array<ArrayBuffer>; cipher: CryptoKey };

/** Each key has a label of its own, so that it is never the key of another purpose of the same secret. */
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

/** Keys for links, in the order of the secrets: the first signs, and all of them read. Empty secrets are left out. */
export const linkKeysOf = (secrets: readonly string[]): Promise<LinkKey[]> =>
  Promise.all(secrets.filter((secret) => secret !== "").map(linkKeyOf));
