import { keyFor, opened, sealed } from "../../lib/seal.ts";

const PURPOSE = "secret of an outgoing webhook";

/** Seals the secret of an outgoing webhook with the first of the Worker's secrets; the object of a team stores it so. */
export const sealSecret = async ([first = ""]: readonly string[], secret: string): Promise<string> =>
  sealed(await keyFor(first, PURPOSE), secret);

/** Opens it with any of the Worker's secrets; undefined if none fits. */
export const openSecret = async (secrets: readonly string[], given: string): Promise<string | undefined> => {
  for (const secret of secrets) {
    const found = await opened(await keyFor(secret, PURPOSE), given, 0);
    if (typeof found === "object") return found.payload;
  }
  return undefined;
};
