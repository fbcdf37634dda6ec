import type { Refusal } from "../../lib/contract/errors.ts";
import { randomId } from "../../lib/util/id.ts";
import { dkimSecretsOf, type Env } from "../env.ts";
import { generateDkimKey } from "../mail/mime/dkim/keys.ts";
import { sealKey } from "../mail/mime/dkim/seal.ts";
import { dkimKeyOwner } from "../types/mailer-rpc.ts";

type NewKey = { selector: string; publicKey: string; sealedKey: string };

/** Creates a DKIM key with a unique selector here, because WebCrypto cannot be used in a transaction. */
export const newDkimKey = async (env: Env, team: string): Promise<{ key: NewKey } | { refusal: Refusal }> => {
  const [secret] = dkimSecretsOf(env);
  if (secret === undefined) {
    const message =
      "DKIM_KEY_SECRET is not set on the email Worker: it encrypts the private keys of domains. Set it to a random text: npx wrangler secret put DKIM_KEY_SECRET -c src/email/wrangler.toml";
    return { refusal: { code: "dkim_not_configured", message } };
  }
  const selector = randomId("ms", 10).replace("_", "");
  const { pkcs8, publicKey } = await generateDkimKey();
  return { key: { selector, publicKey, sealedKey: await sealKey(pkcs8, secret, dkimKeyOwner(team, selector)) } };
};
