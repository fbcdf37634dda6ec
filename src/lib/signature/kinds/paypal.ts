import { toBytes } from "../../util/hmac.ts";
import { isSignedBy } from "../parts/certificate.ts";
import { crc32 } from "../parts/crc32.ts";
import { fetchText } from "../parts/keys.ts";
import { mismatch, missing, notConfigured, refuse, stale, unavailable } from "../parts/refusal.ts";
import type { SignatureRefusal, SignedRequest, VerifyContext } from "../scheme.ts";

/** The simulator signs with the id `WEBHOOK_ID`, which anyone can have. */
const WEBHOOK = /^[A-Z\d]{10,40}$/;
const CERTIFICATE = /^https:\/\/api(-m)?(\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/CERT-[\w-]+$/;
const FIRST_PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/;

const NAMES = ["Id", "Time", "Sig"].map((name) => `PayPal-Transmission-${name}`).concat("PayPal-Cert-Url");

/** Seconds. PayPal retries for three days. */
const TOLERANCE_S = 345_600;

/**
 * Checks a PayPal webhook by its certificate: RSA over `<transmission id>|<time>|<webhook id>|<CRC-32 of the body>`.
 * All PayPal accounts share the certificate, so the webhook's id must be in the source's secret.
 * @see https://developer.paypal.com/api/rest/webhooks/rest/#link-selfverification
 */
export const verifyPayPal = async (
  { headers, raw }: SignedRequest,
  webhooks: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  const known = webhooks.map((webhook) => webhook.trim()).filter((webhook) => WEBHOOK.test(webhook));
  if (known.length === 0) return notConfigured(webhooks.length, "the webhook's id");
  const [id = "", time = "", signature = "", url = ""] = NAMES.map((name) => headers.get(name) ?? "");
  const absent = NAMES.filter((name) => !headers.get(name));
  if (absent.length > 0) return missing(absent);
  if ((headers.get("PayPal-Auth-Algo") ?? "SHA256withRSA") !== "SHA256withRSA")
    return refuse("invalid_signature", "PayPal-Auth-Algo is not SHA256withRSA.");
  if (!CERTIFICATE.test(url)) return refuse("invalid_signature", "PayPal-Cert-Url is not a certificate of PayPal.");
  const at = Date.parse(time);
  if (Number.isNaN(at)) return refuse("invalid_signature", "PayPal-Transmission-Time has no timestamp in ISO 8601.");
  const text = await fetchText(url, now, context);
  if (text === undefined) return unavailable(url);
  const [pem = ""] = FIRST_PEM.exec(text) ?? [];
  const sum = crc32(toBytes(raw));
  let signed = false;
  for (const webhook of known)
    if (await isSignedBy(pem, "SHA-256", signature, `${id}|${time}|${webhook}|${sum}`)) signed = true;
  if (!signed) return mismatch();
  const tolerance = context.tolerance ?? TOLERANCE_S;
  const age = Math.floor((now - at) / 1000);
  return Math.abs(age) > tolerance ? stale(age, tolerance) : undefined;
};
