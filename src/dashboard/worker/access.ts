import type { Role } from "../../lib/contract/access.ts";
import { role } from "../../lib/contract/admin/dashboard/login-fields.ts";
import { claimsOf, verifyJwt } from "../../lib/signature/kinds/jwt.ts";
import type { JwtScheme, VerifyContext } from "../../lib/signature/scheme.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "./env.ts";

const HEADER = "Cf-Access-Jwt-Assertion";

/**
 * Cloudflare Access assertions. @see
 * https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/
 */
const scheme: JwtScheme = {
  kind: "jwt",
  at: { header: HEADER },
  keys: { jwks: "https://{secret}/cdn-cgi/access/certs" },
  issuer: "https://{secret}",
  expires: true,
};

/** Dependencies for tests. Keys are cached for one hour. */
export type AccessContext = Pick<VerifyContext, "fetch" | "sleep" | "cache">;

/** `at` is the login in Unix ms, 0 if unknown. */
export type AccessIdentity = { who: string; at: number };

export const hasAccess = ({ ACCESS_TEAM, ACCESS_AUD }: Env): boolean => Boolean(ACCESS_TEAM && ACCESS_AUD);

/**
 * Returns a role for Cloudflare Access without list entry. Default: owner until the list has an entry, because a
 * removed person must not gain rights.
 */
export const accessRole = ({ ACCESS_ROLE }: Env, wasListed: boolean): Role | undefined =>
  role.safeParse(ACCESS_ROLE ?? (wasListed ? "none" : "owner")).data;

/** Returns the asserted person; undefined if invalid. */
export const accessIdentity = async (
  request: Request,
  { ACCESS_TEAM, ACCESS_AUD }: Env,
  now: number,
  context: AccessContext,
): Promise<AccessIdentity | undefined> => {
  const assertion = request.headers.get(HEADER);
  if (!ACCESS_TEAM || !ACCESS_AUD || assertion === null) return undefined;
  const host = `${ACCESS_TEAM}.cloudflareaccess.com`;
  const signed = { url: request.url, method: request.method, headers: request.headers, raw: "" };
  const refused = await verifyJwt(scheme, signed, [host], now, context);
  const { aud, email, iat } = claimsOf(assertion) ?? {};
  const isForThis = [aud].flat().includes(ACCESS_AUD);
  if (refused || !isForThis || typeof email !== "string" || email === "") {
    log("access_refused", { code: refused?.code ?? (isForThis ? "no_email" : "wrong_audience") });
    return undefined;
  }
  const issued = typeof iat === "number" && Number.isFinite(iat) ? Math.floor(iat * 1_000) : 0;
  return { who: email.toLowerCase(), at: Math.min(issued, now) };
};
