import { fromBase64, hmac, toBase64, toBytes, toHex } from "../../src/lib/hmac.ts";
import type { HeaderPrefix } from "../../src/lib/signature/schemes.ts";

/** Makes a `Stripe-Signature` header. `timestamp`: Unix seconds. */
export const signStripe = async (secret: string, raw: string, timestamp: number): Promise<string> =>
  `t=${timestamp},v1=${toHex(await hmac(toBytes(secret.trim()), `${timestamp}.${raw}`))}`;

/**
 * Makes the headers of a Standard Webhooks request. `timestamp`: Unix seconds.
 * @throws where the secret is not base64.
 */
export const signStandard = async (
  prefix: HeaderPrefix,
  secret: string,
  id: string,
  raw: string,
  timestamp: number,
): Promise<Record<string, string>> => {
  const key = fromBase64(secret.trim().replace(/^(v1,)?(whsec_)?/, ""));
  if (!key?.length) throw new Error("The signing secret is not base64; expected whsec_<base64>.");
  const signature = toBase64(await hmac(key, `${id}.${timestamp}.${raw}`));
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,${signature}`,
  };
};
