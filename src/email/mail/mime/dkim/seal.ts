import { keyFor, opened, sealed } from "../../../../lib/seal.ts";
import { fromBase64, toBase64 } from "../../../../lib/util/hmac.ts";

const PURPOSE = "DKIM key";

/**
 * Encrypts a private key.
 *
 * @param owner only this owner can open it, such as team and selector
 */
export const sealKey = async (pkcs8: Uint8Array, secret: string, owner: string): Promise<string> =>
  sealed(await keyFor(secret, PURPOSE), `${toBase64(pkcs8)} ${owner}`);

/** Decrypts a key; undefined for a wrong secret, owner or changed data. */
export const openKey = async (
  given: string,
  secrets: readonly string[],
  owner: string,
): Promise<Uint8Array | undefined> => {
  for (const secret of secrets) {
    const found = await opened(await keyFor(secret, PURPOSE), given, 0);
    if (typeof found === "string") continue;
    const [pkcs8 = "", ...words] = found.payload.split(" ");
    return words.join(" ") === owner ? fromBase64(pkcs8) : undefined;
  }
  return undefined;
};
