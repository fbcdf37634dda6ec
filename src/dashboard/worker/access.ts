import { role } from "../../lib/contract/admin/dashboard/fields.ts";
import type { Role } from "../../lib/contract/admin/dashboard.ts";
import { claimsOf, verifyJwt } from "../../lib/signature/kinds/jwt.ts";
import type { JwtScheme, VerifyContext } from "../../lib/signature/scheme.ts";
import { log } from "../../lib/util/log.ts";
import type { Env } from "./env.ts";

const HEADER = "Cf-Access-Jwt-Assertion";

/** What Cloudflare Access signs. @see https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/ */
const scheme: JwtScheme = {
  kind: "jwt",
  at: { header: HEADER },
  keys: { jwks: "https://{secret}/cdn-cgi/access/certs" },
  issuer: "https://{secret}",
  expires: true,
};

/** Waits, requests and fetched keys, which are kept for an hour. Tests replace them. */
export type AccessContext = Pick<VerifyContext, "fetch" | "sleep" | "cache">;

/** Whom Cloudflare Access has let through. `at`: when it let that person in, in Unix ms; 0 where it does not say. */
export type AccessIdentity = { who: string; at: number };

/** True where people log in with Cloudflare Access. */
export const hasAccess = ({ ACCESS_TEAM, ACCESS_AUD }: Env): boolean => Boolean(ACCESS_TEAM && ACCESS_AUD);

/**
 * The role of a person whom Cloudflare Access lets in and who has no entry in the list of people; undefined where such a person stays out, also
 * where the variable has no role in it. Without the variable it is owner until the list has its first entry: who is removed from the list must
 * not get more by it. `wasListed`: the list has, or had, an entry.
 */
export const accessRole = ({ ACCESS_ROLE }: Env, wasListed: boolean): Role | undefined =>
  role.safeParse(ACCESS_ROLE ?? (wasListed ? "none" : "owner")).data;

/** The person whom Cloudflare Access has let through; undefined without a valid assertion. */
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
