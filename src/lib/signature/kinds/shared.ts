import { fromBase64, sameText } from "../../util/hmac.ts";
import { notConfigured, refuse } from "../parts/refusal.ts";
import { isBarePrefix } from "../parts/usable.ts";
import type { SharedScheme, SignatureRefusal, SignedRequest } from "../scheme.ts";

const basicOf = (headers: Headers): string | undefined => {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  return bytes && new TextDecoder().decode(bytes);
};

const offeredBy = ({ headers = [], basic, path }: SharedScheme, request: SignedRequest): string[] => {
  const offered = headers.flatMap(({ header, prefix = "" }) => {
    const value = request.headers.get(header) ?? "";
    return value.startsWith(prefix) ? [value.slice(prefix.length)] : [];
  });
  if (basic) offered.push(basicOf(request.headers) ?? "");
  if (path) offered.push(request.token ?? "");
  return offered.filter(Boolean);
};

const locationsOf = ({ headers = [], basic, path }: SharedScheme) => {
  const names = [...new Set([...headers.map(({ header }) => header), ...(basic ? ["Authorization"] : [])])];
  return names.length === 0 && path ? "after the source's name in the path" : `in the header ${names.join(" or ")}`;
};

const isComplete = ({ headers = [], basic, path }: SharedScheme, secret: string): boolean => {
  if (isBarePrefix(secret)) return false;
  if (!basic) return true;
  const [user = "", ...password] = secret.split(":");
  if (password.length === 0) return headers.length > 0 || path === true;
  return user.trim() !== "" && password.join(":").trim() !== "";
};

/** Checks that the request contains the secret. Only TLS protects the body. */
export const verifyShared = async (
  scheme: SharedScheme,
  request: SignedRequest,
  secrets: readonly string[],
): Promise<SignatureRefusal | undefined> => {
  const given = secrets.map((secret) => secret.trim()).filter(Boolean);
  const known = given.filter((secret) => isComplete(scheme, secret));
  if (known.length === 0) {
    return notConfigured(
      given.length,
      scheme.basic ? "user:password, neither of them empty" : "a secret with more than its prefix",
    );
  }
  const offered = offeredBy(scheme, request);
  if (offered.length === 0)
    return refuse("missing_signature", `The secret is missing: it belongs ${locationsOf(scheme)}.`);
  let matched = false;
  for (const secret of known) for (const value of offered) if (await sameText(secret, value)) matched = true;
  return matched
    ? undefined
    : refuse(
        "invalid_signature",
        `The secret ${locationsOf(scheme)} differs from the one that is configured for this source.`,
      );
};
