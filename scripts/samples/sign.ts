import type { HeaderPrefix } from "../../src/lib/signature/schemes.ts";
import { hmac, toBytes, toHex } from "../../src/lib/util/hmac.ts";
import { signedHeaders, standardKey } from "../../src/lib/webhook/standard-webhook.ts";

/** Makes a `Stripe-Signature` header. `timestamp`: Unix seconds. */
export const signStripe = async (secret: string, raw: string, timestamp: number): Promise<string> =>
  `t=${timestamp},v1=${toHex(await hmac(toBytes(secret.trim()), `${timestamp}.${raw}`))}`;

/** Makes Standard Webhooks headers. `timestamp`: Unix seconds. Throws unless the secret is base64. */
export const signStandard = async (
  prefix: HeaderPrefix,
  secret: string,
  id: string,
  raw: string,
  timestamp: number,
): Promise<Record<string, string>> => {
  const key = standardKey(secret.trim().replace(/^v1,/, ""));
  if (!key) throw new Error("The signing secret is not base64; expected whsec_<base64>.");
  return signedHeaders(key, id, timestamp, raw, prefix);
};
