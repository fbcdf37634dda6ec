import { verifyHmac } from "./kinds/hmac.ts";
import { verifyJwt } from "./kinds/jwt.ts";
import { verifyPublicKey } from "./kinds/public-key.ts";
import { verifyShared } from "./kinds/shared.ts";
import { verifySns } from "./kinds/sns.ts";
import { refuse } from "./parts/refusal.ts";
import { placesOf } from "./parts/signed.ts";
import { isPrivateText } from "./parts/usable.ts";
import type { Outside, Scheme, SignatureRefusal, SignedRequest } from "./scheme.ts";

/** The headers a scheme cannot do without. */
export const headersOf = (scheme: Scheme): string[] => {
  switch (scheme.kind) {
    case "hmac":
    case "public key":
      return placesOf(scheme).flatMap((place) => ("header" in place ? [place.header] : []));
    case "jwt":
      return scheme.at !== "body" && "header" in scheme.at ? [scheme.at.header] : [];
    case "shared":
      return (scheme.headers ?? []).map(({ header }) => header);
    case "sns":
      return [];
    default:
      return [...new Set(scheme.of.slice(0, 1).flatMap(headersOf))];
  }
};

/**
 * Which of several sets of headers a request was signed with: the first that is complete, else the first of which
 * anything is there, else the first.
 */
export const chosen = (sets: readonly (readonly string[])[], headers: Headers): number => {
  const complete = sets.findIndex((names) => names.every((name) => headers.get(name)));
  if (complete >= 0) return complete;
  return Math.max(
    0,
    sets.findIndex((names) => names.some((name) => headers.get(name))),
  );
};

// The refusal to show where several alternatives refuse: the one that came furthest.
const FURTHEST: readonly SignatureRefusal["code"][] = [
  "stale_timestamp",
  "key_unavailable",
  "invalid_signature",
  "missing_signature",
  "source_not_configured",
];

/**
 * Checks a request against a scheme. Gives why it is refused, or undefined where it is proven. Never throws.
 * @param secrets all that are valid now: while one is replaced, the old and the new one.
 * @param now Unix milliseconds.
 */
export const verifyWith = async (
  scheme: Scheme,
  request: SignedRequest,
  secrets: readonly string[],
  now: number,
  outside: Outside,
): Promise<SignatureRefusal | undefined> => {
  switch (scheme.kind) {
    case "hmac":
      return verifyHmac(scheme, request, secrets, now, outside);
    case "public key":
      return verifyPublicKey(scheme, request, secrets, now, outside);
    case "shared":
      return verifyShared(scheme, request, secrets);
    case "jwt":
      return verifyJwt(scheme, request, secrets, now, outside);
    case "sns":
      return verifySns(request, secrets, now, outside);
    case "first": {
      const one = scheme.of[chosen(scheme.of.map(headersOf), request.headers)];
      return one ? verifyWith(one, request, secrets, now, outside) : refuse("source_not_configured", "No scheme.");
    }
    default: {
      let shown: SignatureRefusal | undefined;
      // Where a secret may be the address of public keys, it must not be an HMAC key beside: everybody knows that address.
      const mayBeAddress = scheme.of.some((one) => one.kind === "jwt" && !one.keys);
      for (const one of scheme.of) {
        const usable = mayBeAddress && one.kind === "hmac" ? secrets.filter(isPrivateText) : secrets;
        if (usable.length === 0 && secrets.length > 0) continue;
        const refusal = await verifyWith(one, request, usable, now, outside);
        if (!refusal) return undefined;
        if (!shown || FURTHEST.indexOf(refusal.code) < FURTHEST.indexOf(shown.code)) shown = refusal;
      }
      return shown ?? refuse("source_not_configured", "No scheme.");
    }
  }
};
