import { verifyHmac } from "./kinds/hmac.ts";
import { verifyJwt } from "./kinds/jwt.ts";
import { verifyPayPal } from "./kinds/paypal.ts";
import { verifyPublicKey } from "./kinds/public-key.ts";
import { verifyShared } from "./kinds/shared.ts";
import { verifySns } from "./kinds/sns.ts";
import { refuse } from "./parts/refusal.ts";
import { locationsOf } from "./parts/signed.ts";
import { isPrivateText } from "./parts/usable.ts";
import type { Scheme, SignatureRefusal, SignedRequest, VerifyContext } from "./scheme.ts";

const headersOf = (scheme: Scheme): string[] => {
  switch (scheme.kind) {
    case "hmac":
    case "public key":
      return locationsOf(scheme).flatMap((location) => ("header" in location ? [location.header] : []));
    case "jwt":
      return scheme.at !== "body" && "header" in scheme.at ? [scheme.at.header] : [];
    case "shared":
      return (scheme.headers ?? []).map(({ header }) => header);
    case "sns":
      return [];
    case "paypal":
      return ["PayPal-Transmission-Sig"];
    default:
      return [...new Set(scheme.of.slice(0, 1).flatMap(headersOf))];
  }
};

export const chooseHeaders = (sets: readonly (readonly string[])[], headers: Headers): number => {
  const complete = sets.findIndex((names) => names.every((name) => headers.get(name)));
  if (complete >= 0) return complete;
  return Math.max(
    0,
    sets.findIndex((names) => names.some((name) => headers.get(name))),
  );
};

// The refusal of the check that got furthest says most about the cause.
const MOST_TELLING: readonly SignatureRefusal["code"][] = [
  "stale_timestamp",
  "key_unavailable",
  "invalid_signature",
  "missing_signature",
  "source_not_configured",
];

/**
 * Verifies a request; undefined if valid. Never throws.
 * @param secrets during a rotation, old and new
 * @param now Unix milliseconds
 */
export const verifyWith = async (
  scheme: Scheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  context: VerifyContext,
): Promise<SignatureRefusal | undefined> => {
  switch (scheme.kind) {
    case "hmac":
      return verifyHmac(scheme, request, secrets, now, context);
    case "public key":
      return verifyPublicKey(scheme, request, secrets, now, context);
    case "shared":
      return verifyShared(scheme, request, secrets);
    case "jwt":
      return verifyJwt(scheme, request, secrets, now, context);
    case "sns":
      return verifySns(request, secrets, now, context);
    case "paypal":
      return verifyPayPal(request, secrets, now, context);
    case "first": {
      const one = scheme.of[chooseHeaders(scheme.of.map(headersOf), request.headers)];
      return one ? verifyWith(one, request, secrets, now, context) : refuse("source_not_configured", "No scheme.");
    }
    default: {
      let signatureRefusal: SignatureRefusal | undefined;
      // A secret that may be the URL of public keys must not also count as an HMAC key: that URL is public.
      const mayBeAddress = scheme.of.some((one) => one.kind === "jwt" && !one.keys);
      for (const one of scheme.of) {
        const usable = mayBeAddress && one.kind === "hmac" ? secrets.filter(isPrivateText) : secrets;
        if (usable.length === 0 && secrets.length > 0) continue;
        const refusal = await verifyWith(one, request, usable, now, context);
        if (!refusal) return undefined;
        if (!signatureRefusal || MOST_TELLING.indexOf(refusal.code) < MOST_TELLING.indexOf(signatureRefusal.code))
          signatureRefusal = refusal;
      }
      return signatureRefusal ?? refuse("source_not_configured", "No scheme.");
    }
  }
};
